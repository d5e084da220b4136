import Foundation

/// The folding under which two words of a full text are equal. It ignores case, the marks of Latin, Greek and
/// Cyrillic, and the compatibility forms of Unicode.
///
/// Each scalar is folded on its own, so the result does not depend on a locale or on other scalars. The
/// folding takes the scalar's compatibility decomposition, converts it to upper case and then to lower case
/// (so ß becomes ss, and both forms of lower-case sigma become one), decomposes it again, and drops the
/// scalars in the blocks of combining diacritical marks. Typographic apostrophes become ASCII apostrophes.
enum WordFolding {
  /// Appends the folded form of a non-ASCII scalar. The folded form of a mark can be empty.
  static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if let known = common.folded(scalar.value) {
      bytes.append(contentsOf: known)
    } else {
      bytes.append(contentsOf: fold(scalar))
    }
  }

  /// The letters of most texts, folded once per process.
  private static let common = Table()

  private struct Table {
    private static let ranges: [ClosedRange<UInt32>] = [0xC0...0x5FF, 0x1E00...0x1FFF]
    private var bytes: [UInt8] = []
    private var ends: [UInt16] = [0]

    init() {
      for range in Self.ranges {
        for value in range {
          if let scalar = Unicode.Scalar(value) { bytes.append(contentsOf: WordFolding.fold(scalar)) }
          ends.append(UInt16(truncatingIfNeeded: bytes.count))
        }
      }
    }

    func folded(_ value: UInt32) -> ArraySlice<UInt8>? {
      var offset = 0
      for range in Self.ranges {
        if range.contains(value) {
          let index = offset + Int(value - range.lowerBound)
          return bytes[Int(ends[index])..<Int(ends[index + 1])]
        }
        offset += range.count
      }
      return nil
    }
  }

  fileprivate static func fold(_ scalar: Unicode.Scalar) -> [UInt8] {
    if scalar.value == 0x2018 || scalar.value == 0x2019 || scalar.value == 0xFF07 {
      return [UInt8(ascii: "'")]
    }
    let decomposed = String(Character(scalar)).decomposedStringWithCompatibilityMapping
    var folded = ""
    for part in decomposed.unicodeScalars {
      for upper in part.properties.uppercaseMapping.unicodeScalars {
        folded += upper.properties.lowercaseMapping
      }
    }
    var bytes: [UInt8] = []
    for part in folded.decomposedStringWithCompatibilityMapping.unicodeScalars where !isDiacritic(part.value)
    {
      bytes.append(contentsOf: UTF8.encode(part).map(Array.init) ?? [])
    }
    return bytes
  }

  private static func isDiacritic(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F,
      0xFE20...0xFE2F, 0xE0100...0xE01EF, 0x200C...0x200D, 0x00AD:
      true
    default: false
    }
  }
}
