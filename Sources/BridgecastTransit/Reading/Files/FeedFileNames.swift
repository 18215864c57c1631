// The files that GTFS has; used by FeedFiles to tell of others.

/// Names of the GTFS schedule reference, and of two files that many publishers add.
enum FeedFileNames {
    static let all: Set<String> = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt",
        "calendar_dates.txt", "fare_attributes.txt", "fare_rules.txt", "timeframes.txt",
        "rider_categories.txt", "fare_media.txt", "fare_products.txt", "fare_leg_rules.txt",
        "fare_leg_join_rules.txt", "fare_transfer_rules.txt", "areas.txt", "stop_areas.txt",
        "networks.txt", "route_networks.txt", "shapes.txt", "frequencies.txt", "transfers.txt",
        "pathways.txt", "levels.txt", "location_groups.txt", "location_group_stops.txt",
        "booking_rules.txt", "translations.txt", "feed_info.txt", "attributions.txt",
        "directions.txt",
    ]
}
