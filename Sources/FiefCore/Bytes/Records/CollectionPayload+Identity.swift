import Foundation

/// The identity of elements. Elements that a set treats as equal have the same identity: both zeros are
/// equal, and all NaNs are equal.
extension CollectionPayload {
  /// Whether equal elements of a kind can have different bytes.
  static func hasManyForms(_ kind: ColumnType.Kind) -> Bool {
    switch kind {
    case .float, .double, .date, .any: true
    default: false
    }
  }

  /// Returns the payload of an element as a set stores it, with 0.0 in place of -0.0 and one NaN in place of
  /// all NaNs. Lists and dictionaries in values of any type are unchanged; they are equal if their bytes are
  /// equal.
  ///
  /// - Parameter element: the payload, without the length that precedes it in a collection.
  static func identity(of element: [UInt8], type: ColumnType) -> [UInt8] {
    guard let (start, kind) = number(in: element, type) else { return element }
    var element = element
    // SAFETY: the bytes from `start` on are exactly the bytes of a number of this kind.
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

  /// Returns the payload of 0.0 or NaN with the other sign, or `nil` for other elements. Sets written by
  /// earlier builds may contain -0.0, and NaN with the sign that the processor gave it.
  static func otherForm(of element: [UInt8], type: ColumnType) -> [UInt8]? {
    guard let (start, kind) = number(in: element, type), let last = element.last else { return nil }
    let hasOtherForm = element.withUnsafeBytes { bytes in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let number = kind == .float ? Double(bytes.leadingFloat) : bytes.leadingDouble
      return number == 0 || number.isNaN
    }
    return hasOtherForm ? Array(element.dropLast()) + [last ^ 0x80] : nil
  }

  /// Returns the offset and the kind of a floating-point number or a date, or `nil` for any other element.
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
  /// The number, with 0.0 in place of -0.0 and one NaN in place of all NaNs.
  var inOneForm: Self { isNaN ? .nan : self == 0 ? 0 : self }

  /// Whether a set treats both as the same value: both zeros are one value, and all NaNs are one value.
  func isSameValue(as other: Self) -> Bool { self == other || (isNaN && other.isNaN) }
}
