import Foundation

/// The identity of elements. Two elements that a set treats as equal have the same identity: both zeros, and all NaNs.
extension CollectionPayload {
  /// Whether equal elements of a kind can have different bytes.
  static func hasManyForms(_ kind: ColumnType.Kind) -> Bool {
    switch kind {
    case .float, .double, .date, .any: true
    default: false
    }
  }

  /// The payload of an element with 0.0 for -0.0 and one NaN for all, as a set stores it. Lists and dictionaries in values of
  /// any type stay as they are: they are equal if their bytes are.
  ///
  /// - Parameter element: the payload, without the length that precedes one in a collection.
  static func identity(of element: [UInt8], type: ColumnType) -> [UInt8] {
    guard let (start, kind) = number(in: element, type) else { return element }
    var element = element
    // SAFETY: the bytes from `start` on are as many as the kind has.
    element.withUnsafeMutableBytes { bytes in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      if kind == .float {
        let number = UnsafeRawBufferPointer(bytes).leadingFloat.inOneForm
        bytes.storeBytes(of: number.bitPattern.littleEndian, as: UInt32.self)
      } else {
        let number = UnsafeRawBufferPointer(bytes).leadingDouble.inOneForm
        bytes.storeBytes(of: number.bitPattern.littleEndian, as: UInt64.self)
      }
    }
    return element
  }

  /// The payload of 0.0 or NaN with the other sign; nil for other elements. Sets that earlier builds have written may contain -0.0, and
  /// NaN as processors make it, which has a sign.
  static func otherForm(of element: [UInt8], type: ColumnType) -> [UInt8]? {
    guard let (start, kind) = number(in: element, type), let last = element.last else { return nil }
    let hasOtherForm = element.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let number = kind == .float ? Double(bytes.leadingFloat) : bytes.leadingDouble
      return number == 0 || number.isNaN
    }
    return hasOtherForm ? Array(element.dropLast()) + [last ^ 0x80] : nil
  }

  /// The offset and the kind of a floating-point number or a date; nil for any other element.
  private static func number(in element: [UInt8], _ type: ColumnType) -> (start: Int, kind: ColumnType.Kind)?
  {
    guard hasManyForms(type.kind) else { return nil }
    var (start, kind) = (0, type.kind)
    if type.isOptional {
      guard element.first == 1 else { return nil }
      start = 1
    }
    if kind == .any {
      guard start < element.count, let known = ColumnType.Kind(rawValue: element[start]), known != .any,
        hasManyForms(known)
      else { return nil }
      kind = known
      start += 1
    }
    return element.count - start == kind.fixedWidth ? (start, kind) : nil
  }
}

extension BinaryFloatingPoint {
  /// The number, with 0.0 for -0.0 and one NaN for all of them.
  var inOneForm: Self { isNaN ? .nan : self == 0 ? 0 : self }

  /// Whether a set treats both as the same value: both zeros are one value, and all NaNs are one value.
  func isSameValue(as other: Self) -> Bool { self == other || (isNaN && other.isNaN) }
}
