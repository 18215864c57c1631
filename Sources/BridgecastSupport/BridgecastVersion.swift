// The version of Bridgecast.

/// The version of the library and of both programs, by semantic versioning (semver.org).
///
/// `bridgecast.h` has it as `BRIDGECAST_VERSION`; CHANGELOG.md says what each version changed.
public enum BridgecastVersion {
    /// Such as `1.2.3`.
    public static let current = "0.9.0"
}
