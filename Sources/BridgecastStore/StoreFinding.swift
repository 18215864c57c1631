// What a check of the store found, and what to do about it; `doctor` shows these.

/// Something a check found.
public struct StoreFinding: Sendable, Codable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable, Codable {
        /// As it should be.
        case ok
        /// Odd, or a reason why forecasts know less than they could.
        case warning
        /// Damaged or useless until somebody does something.
        case error
    }

    /// How bad it is.
    public var severity: Severity
    /// What was looked at.
    public var subject: String
    /// What was found.
    public var finding: String
    /// What to do; nil if nothing.
    public var advice: String?

    /// Creates a finding.
    public init(severity: Severity, subject: String, finding: String, advice: String? = nil) {
        (self.severity, self.subject) = (severity, subject)
        (self.finding, self.advice) = (finding, advice)
    }
}

extension StoreFinding {
    static func ok(_ subject: String, _ finding: String) -> StoreFinding {
        StoreFinding(severity: .ok, subject: subject, finding: finding, advice: nil)
    }

    static func warning(_ subject: String, _ finding: String, _ advice: String) -> StoreFinding {
        StoreFinding(severity: .warning, subject: subject, finding: finding, advice: advice)
    }
}
