// Something that is made when it is first wanted and then kept; RoadNetwork holds what finding places needs in it.
internal import Synchronization

/// A value that is made once, by whoever asks first; copies of its owner share it.
final class Lazily<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    /// The value; others who ask while it is made wait.
    func value(_ make: () -> Value) -> Value {
        made.withLock { made in
            if let made { return made }
            let value = make()
            made = value
            return value
        }
    }
}
