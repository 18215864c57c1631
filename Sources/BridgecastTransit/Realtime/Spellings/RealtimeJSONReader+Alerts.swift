// Selectors and alerts of a feed in JSON into values.
internal import BridgecastCore

extension RealtimeJSONReader {
    mutating func trip(_ tree: JSONTree) -> TripSelector {
        var trip = TripSelector()
        trip.tripID = intake.text(tree, "tripid")
        trip.routeID = intake.text(tree, "routeid")
        trip.direction = intake.count(tree, "directionid")
        trip.startTime = intake.text(tree, "starttime")
        trip.startDate = intake.text(tree, "startdate")
        trip.relationship = intake.choice(tree, "schedulerelationship", .tripRelationship)
            .flatMap(TripRelationship.init)
        return trip
    }

    mutating func label(_ tree: JSONTree) -> VehicleLabel {
        var label = VehicleLabel()
        label.id = intake.text(tree, "id")
        label.label = intake.text(tree, "label")
        label.licencePlate = intake.text(tree, "licenseplate")
        label.wheelchair = intake.choice(tree, "wheelchairaccessible", .wheelchair)
        return label
    }

    mutating func properties(_ tree: JSONTree) -> TripProperties {
        var properties = TripProperties()
        properties.tripID = intake.text(tree, "tripid")
        properties.startDate = intake.text(tree, "startdate")
        properties.startTime = intake.text(tree, "starttime")
        properties.shapeID = intake.text(tree, "shapeid")
        properties.headsign = intake.text(tree, "tripheadsign")
        properties.shortName = intake.text(tree, "tripshortname")
        return properties
    }

    mutating func alert(_ tree: JSONTree) throws(DocumentProblem) -> ServiceAlert {
        var alert = ServiceAlert()
        for period in try intake.list(tree, "activeperiod", "activeperiods") {
            alert.activePeriods.append(self.period(period))
        }
        for selector in try intake.list(tree, "informedentity", "informedentities") {
            alert.informed.append(self.selector(selector))
        }
        alert.cause = intake.choice(tree, "cause", .cause)
        alert.effect = intake.choice(tree, "effect", .effect)
        alert.severity = intake.choice(tree, "severitylevel", .severity)
        alert.header = try texts(tree, "headertext")
        alert.description = try texts(tree, "descriptiontext")
        alert.url = try texts(tree, "url")
        return alert
    }

    private mutating func period(_ tree: JSONTree) -> ServiceAlert.Period {
        let start = intake.integer(tree, "start") ?? 0
        let end = intake.integer(tree, "end") ?? 0
        return ServiceAlert.Period(
            start: start == 0 ? nil : intake.moment(start, "start"),
            end: end == 0 ? nil : intake.moment(end, "end"))
    }

    private mutating func selector(_ tree: JSONTree) -> ServiceAlert.Selector {
        var selector = ServiceAlert.Selector()
        selector.agencyID = intake.text(tree, "agencyid")
        selector.routeID = intake.text(tree, "routeid")
        selector.stopID = intake.text(tree, "stopid")
        selector.routeType = intake.count(tree, "routetype")
        selector.direction = intake.count(tree, "directionid")
        selector.trip = tree["trip"].map { trip($0) }
        return selector
    }

    /// A text in its languages; some feeds write the text alone.
    private mutating func texts(
        _ tree: JSONTree, _ name: String
    ) throws(DocumentProblem) -> [ServiceAlert.Translation] {
        guard let member = tree[name] else { return [] }
        if case .text(let text) = member {
            return text.isEmpty ? [] : [ServiceAlert.Translation(text, language: "")]
        }
        return try intake.list(member, "translation", "translations").compactMap { translation in
            guard let text = intake.text(translation, "text") else { return nil }
            return ServiceAlert.Translation(
                text, language: intake.text(translation, "language") ?? "")
        }
    }
}
