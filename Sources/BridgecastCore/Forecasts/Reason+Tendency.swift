// Which way a reason moves a chance; ForecastReason tells none against the forecast.

extension Reason {
    /// Which way a reason moves the chance of being stopped.
    enum Tendency {
        /// Away from the usual: to more, or to less.
        case more, less
        /// It keeps the chance near the usual.
        case near
        /// To more or to less, as it happens.
        case either
    }

    /// Which way it moves the chance of being stopped.
    var tendency: Tendency {
        switch self {
        case .raised, .raisedFor, .raisedLong, .loweredRecently, .convoy, .convoyInOrder,
            .neighbourOften, .windowEnded, .longOpenings, .busyDay, .overUsual:
            .more
        case .downNow, .downLately, .downLong, .closedWindow, .quietDay, .underUsual: .less
        case .usual, .stateUnknown: .near
        case .halfHourOnly: .either
        }
    }
}
