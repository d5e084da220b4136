/// A pattern of LIKE: `?` matches one Unicode scalar, `*` matches any number of scalars, and after a
/// backslash the next scalar is literal. A backslash at the end is literal too.
///
/// Matching backtracks only to the last `*`, so its time is at most proportional to the product of both
/// lengths.
struct LikePattern {
  /// Step values beyond the range of a byte.
  private static let anyScalar: UInt16 = 0x100
  private static let anyNumber: UInt16 = 0x101

  private let steps: [UInt16]

  init(_ pattern: UnsafeRawBufferPointer) {
    var steps: [UInt16] = []
    steps.reserveCapacity(pattern.count)
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "?"): steps.append(Self.anyScalar)
      case UInt8(ascii: "*"): if steps.last != Self.anyNumber { steps.append(Self.anyNumber) }
      case UInt8(ascii: "\\") where index + 1 < pattern.count:
        index += 1
        steps.append(UInt16(pattern[index]))
      default: steps.append(UInt16(pattern[index]))
      }
      index += 1
    }
    self.steps = steps
  }

  /// Whether a whole text, in UTF-8, matches the pattern.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    steps.withUnsafeBufferPointer { steps in
      var step = 0
      var place = 0
      // The step and the position at which to continue after a mismatch. There the last `*` matches one more
      // scalar.
      var retryStep = -1
      var retryPlace = 0
      while place < text.count {
        if step < steps.count, steps[step] == Self.anyNumber {
          step += 1
          retryStep = step
          retryPlace = place
        } else if step < steps.count, steps[step] == Self.anyScalar {
          step += 1
          place = Self.end(ofScalarAt: place, in: text)
        } else if step < steps.count, steps[step] == UInt16(text[place]) {
          step += 1
          place += 1
        } else if retryStep >= 0 {
          retryPlace = Self.end(ofScalarAt: retryPlace, in: text)
          place = retryPlace
          step = retryStep
        } else {
          return false
        }
      }
      while step < steps.count, steps[step] == Self.anyNumber { step += 1 }
      return step == steps.count
    }
  }

  @inline(__always)
  private static func end(ofScalarAt place: Int, in text: UnsafeRawBufferPointer) -> Int {
    var end = place + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
