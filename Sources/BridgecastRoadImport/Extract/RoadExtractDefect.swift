// What the readers throw: they do not know what their file is called.

/// A problem and its place.
struct RoadExtractDefect: Error, Equatable {
    let problem: RoadExtractProblem
    let place: RoadExtractError.Place

    init(
        _ problem: RoadExtractProblem, element: RoadElement? = nil, byte: Int? = nil,
        line: Int? = nil
    ) {
        self.problem = problem
        place = RoadExtractError.Place(element: element, byte: byte, line: line)
    }
}
