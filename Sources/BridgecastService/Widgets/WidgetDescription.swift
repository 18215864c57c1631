// What is read out in place of a widget: all that it shows, in sentences.
internal import BridgecastCore
internal import BridgecastSupport
internal import BridgecastTransit
internal import BridgecastTransitAnswers

enum WidgetDescription {
    private static let maxDepartures = 6
    private static let maxLength = 800

    /// What a widget shows, with minutes: it is read out and does not count down.
    ///
    /// Such as "542 at Montlake: in 5 min to Redmond, HIGH, on time; in 20 min to Redmond, LOW, scheduled. Montlake Bridge: +4
    /// min, 31 in 100".
    static func text(of content: WidgetContent) -> String {
        let texts = content.texts
        let name = [content.line?.title, content.stop.name].compactMap { $0 }
            .joined(separator: " \(texts.at) ")
        let sentences = [
            departures(of: content), texts.bridge(of: content, isShort: false),
            content.isTimetableOnly ? texts.timetableOnly : nil,
            content.staleSeconds.map { texts.age(seconds: $0) },
        ].compactMap { $0 }
        return printable("\(name): \(sentences.joined(separator: ". "))", maxLength: maxLength)
    }

    /// The next of each direction, or that nothing comes.
    private static func departures(of content: WidgetContent) -> String {
        let texts = content.texts
        guard !content.rows.isEmpty else {
            return [texts.nothing, content.reason].compactMap { $0 }.joined(separator: ". ")
        }
        let count = max(1, maxDepartures / content.groups.count)
        return content.groups.map { group in
            let name = group.name.map { "\(texts.towards($0)): " } ?? ""
            let shown = group.rows.prefix(count).map { departure($0, of: content) }
            return name + (shown.isEmpty ? texts.nothing : shown.joined(separator: "; "))
        }.joined(separator: ". ")
    }

    private static func departure(_ entry: DepartureEntry, of content: WidgetContent) -> String {
        let texts = content.texts
        let departure = entry.departure
        let headsign = departure.headsign
        let destination =
            departure.isLastStop
            ? texts.endsHere : headsign.isEmpty ? "" : "\(texts.to) \(headsign)"
        let first = [
            content.line == nil ? entry.route?.title ?? "" : "",
            content.secondsLeft(entry).map(texts.minutes) ?? "", destination,
        ]
        return [
            first.filter { !$0.isEmpty }.joined(separator: " "),
            texts.confidences[departure.confidence] ?? "", texts.status(departure),
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
