// What room a road gives bikes; network files store the raw value.

/// Room for bikes on an arc, in its direction.
package enum BikeRoom: UInt8, Sendable, CaseIterable {
    /// They ride among cars.
    case none
    /// Among cars on an arterial that has sharrows, or that signs call a bike route.
    case sharrows
    /// A painted lane, or a paved shoulder.
    case lane
    /// A lane of their own behind a kerb, posts or parked cars.
    case track
    /// A street with few cars that is made for bikes: a neighbourhood greenway, or one for residents only.
    case greenway
}
