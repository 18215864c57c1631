// Routes that compete with each other: those of the same origin, destination and mode.
package import BridgecastCore

/// Divides routes into those that compete.
package enum RouteGroups {
    private struct Ends: Hashable {
        let origin: String
        let destination: String
        let mode: Route.Mode

        init(_ route: Route) {
            (origin, destination, mode) = (route.origin, route.destination, route.mode)
        }

        func hold(_ route: Route) -> Bool {
            mode == route.mode && origin == route.origin && destination == route.destination
        }
    }

    /// The number of each route's group, from 0 on in order of first appearance, and how many groups there are.
    package static func numbers(of routes: [Route]) -> (numbers: [Int], count: Int) {
        var known: [Ends: Int] = [:]
        var latest: (ends: Ends, number: Int)?
        let numbers = routes.map { route in
            // Almost always the one of the route before: nothing has to be hashed.
            if let latest, latest.ends.hold(route) { return latest.number }
            let ends = Ends(route)
            let number = known[ends] ?? known.count
            known[ends] = number
            latest = (ends, number)
            return number
        }
        return (numbers, known.count)
    }

    /// The routes of each group, in order of first appearance.
    package static func divided(_ routes: [Route]) -> [[Route]] {
        let (numbers, count) = numbers(of: routes)
        var groups = [[Route]](repeating: [], count: count)
        for (route, number) in zip(routes, numbers) { groups[number].append(route) }
        return groups
    }
}
