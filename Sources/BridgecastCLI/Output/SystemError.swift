// What the system says of a call, a stream or a file that failed; used wherever a command writes.
import Foundation
import Glibc

extension POSIXError {
    /// The error of the last call that failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// The system's words for an error, else Foundation's.
func systemReason(_ error: any Error) -> String {
    guard let code = systemErrorCode(error) else { return error.localizedDescription }
    return unsafe String(cString: strerror(code))
}

/// The system's number of an error, if it has one.
func systemErrorCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let whole = error as NSError
    let inner = whole.userInfo[NSUnderlyingErrorKey] as? NSError
    return [whole, inner].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }
        .map { Int32($0.code) }
}
