// Pixels as PNG (RFC 2083), with a palette: a quarter of the bytes to pack, and less than half of the file.
internal import CZlib
internal import NIOCore

enum PNGWriter {
    /// How a pixel's bytes are encoded.
    private enum ColourType: UInt8 {
        case palette = 3
        case redGreenBlueOpacity = 6
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Of zlib: flat colours become hardly smaller above it.
    private static let level: Int32 = 3

    /// A picture with rows as they are: flat colours need no filters.
    ///
    /// - Parameters:
    ///   - pixels: Row by row, opacity in the highest byte, then red, green and blue, multiplied by it.
    ///   - width: Pixels of a row, above zero.
    /// - Throws: `Failure` if zlib has no memory.
    /// - Complexity: O(pixels)
    static func bytes(
        _ pixels: [UInt32], width: Int
    ) throws(PictureRenderer.Failure) -> [UInt8] {
        let height = pixels.count / width
        if let (indices, palette) = Palette.indexed(pixels) {
            let colours = palette.map(separated)
            return try signature + head(width: width, height: height, .palette)
                + chunk("PLTE", colours.flatMap { $0.prefix(3) })
                + chunk("tRNS", colours.map { $0[3] }) + body(indices, byteWidth: width)
        }
        return try signature + head(width: width, height: height, .redGreenBlueOpacity)
            + body(pixels.flatMap(separated), byteWidth: 4 * width)
    }

    /// Red, green, blue and opacity of a pixel: PNG has colours apart from the opacity.
    private static func separated(_ pixel: UInt32) -> [UInt8] {
        let opacity = pixel >> 24
        guard opacity > 0 else { return [0, 0, 0, 0] }
        let channels = [16, 8, 0].map { (bits: UInt32) in
            UInt8(min(255, ((pixel >> bits & 255) * 255 + opacity / 2) / opacity))
        }
        return channels + [UInt8(opacity)]
    }

    private static func head(width: Int, height: Int, _ type: ColourType) -> [UInt8] {
        let bitsPerChannel: UInt8 = 8
        return chunk(
            "IHDR",
            bigEndian(width) + bigEndian(height) + [bitsPerChannel, type.rawValue, 0, 0, 0])
    }

    /// The rows, with the number of their filter, none, before each; and the end.
    private static func body(
        _ bytes: [UInt8], byteWidth: Int
    ) throws(PictureRenderer.Failure) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(bytes.count + bytes.count / byteWidth)
        for start in stride(from: 0, to: bytes.count, by: byteWidth) {
            rows.append(0)
            rows += bytes[start..<start + byteWidth]
        }
        guard let packed = Deflate.packed(rows, in: .zlib, level: level) else {
            throw PictureRenderer.Failure(description: "zlib could not pack the picture")
        }
        return chunk("IDAT", Array(packed.readableBytesView)) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        // Safe: zlib reads the bytes that it is given.
        let checksum = unsafe crc32(0, named, UInt32(named.count))
        return bigEndian(content.count) + named + bigEndian(Int(checksum))
    }

    /// Four bytes.
    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}

/// Numbered colours for the pixels of a picture.
private enum Palette {
    static let maxCount = 256
    /// So many colours that most pixels have are kept as they are: those of areas.
    private static let exactCount = 64
    /// Differences that are given up if need be: smooth edges of letters have eight levels then.
    private static let maxRoundedBits: UInt32 = 5

    /// The index of each pixel's colour, and the colours; nil for a picture with too many.
    ///
    /// Where there are more than ``maxCount``, those of few pixels become one that differs little, so that only edges of letters
    /// change. The same pixels always have the same palette.
    static func indexed(_ pixels: [UInt32]) -> (indices: [UInt8], colours: [UInt32])? {
        guard let (numbers, counted) = CountedColours.numbered(pixels) else { return nil }
        // The first of those that equally many pixels have comes first.
        let order = counted.indices.sorted {
            (counted.counts[$1], $0) < (counted.counts[$0], $1)
        }
        for bits in 0...maxRoundedBits {
            guard let (colours, indices) = rounded(counted.colours, in: order, bits: bits) else {
                continue
            }
            return (numbers.map { indices[Int($0)] }, colours)
        }
        return nil
    }

    /// A palette in which colours are one if they differ by less than 2 to the power of `bits` in each channel, and the palette's
    /// index of each colour; nil if it is too long.
    private static func rounded(
        _ colours: [UInt32], in order: [Int], bits: UInt32
    ) -> (palette: [UInt32], indices: [UInt8])? {
        let byte = UInt32(0xFF) << bits & 0xFF
        let mask = byte | byte << 8 | byte << 16 | byte << 24
        var palette: [UInt32] = []
        var byRounded: [UInt32: Int] = [:]
        var indices = [UInt8](repeating: 0, count: colours.count)
        for (rank, number) in order.enumerated() {
            let colour = colours[number]
            let known = rank < exactCount ? nil : byRounded[colour & mask]
            if known == nil {
                guard palette.count < maxCount else { return nil }
                palette.append(colour)
            }
            let index = known ?? palette.count - 1
            byRounded[colour & mask] = byRounded[colour & mask] ?? index
            indices[number] = UInt8(index)
        }
        return (palette, indices)
    }
}

/// The colours of a picture in the order in which they are met, and how many pixels have each.
private struct CountedColours {
    private(set) var colours: [UInt32] = []
    private(set) var counts: [Int] = []
    /// Numbers of colours by their hash, an open-addressed table; -1 where it is empty.
    private var slots = [Int16](repeating: -1, count: slotCount)

    private static let maxCount = 4096
    private static let slotBits = 13
    private static let slotCount = 1 << slotBits

    var indices: Range<Int> { colours.indices }

    /// The number of each pixel's colour; nil if there are more than 4,096 colours.
    static func numbered(_ pixels: [UInt32]) -> (numbers: [Int16], CountedColours)? {
        var found = CountedColours()
        var numbers: [Int16] = []
        numbers.reserveCapacity(pixels.count)
        var last = ~(pixels.first ?? 0)
        var number: Int16 = 0
        for pixel in pixels {
            if pixel != last {
                guard let next = found.number(of: pixel) else { return nil }
                last = pixel
                number = next
            }
            found.counts[Int(number)] += 1
            numbers.append(number)
        }
        return (numbers, found)
    }

    private mutating func number(of colour: UInt32) -> Int16? {
        // Multiplication by the golden ratio spreads similar colours (Knuth, volume 3, 6.4).
        var slot = Int((colour &* 0x9E37_79B1) >> (32 - Self.slotBits))
        while slots[slot] >= 0 {
            if colours[Int(slots[slot])] == colour { return slots[slot] }
            slot = (slot + 1) % Self.slotCount
        }
        guard colours.count < Self.maxCount else { return nil }
        slots[slot] = Int16(colours.count)
        colours.append(colour)
        counts.append(0)
        return slots[slot]
    }
}
