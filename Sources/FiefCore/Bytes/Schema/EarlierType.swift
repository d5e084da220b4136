/// An earlier type of a column. Records that were not rewritten when the type changed still use it.
struct EarlierType: Sendable, Equatable {
  var kind: ColumnType.Kind
  var isOptional: Bool
  /// The last layout version whose records have the column in this type.
  var through: UInt16
  /// The value that replaced nil in the change that ended this type, as a payload of the following type. It
  /// is `nil` if the following type is optional or this type was not optional.
  var nilPayload: [UInt8]?
}

extension ColumnEntry {
  /// Returns the type of the column in the records of a layout version.
  package func type(at version: UInt16) -> ColumnType {
    if earlier.isEmpty { return type }
    guard let found = earlier.first(where: { version <= $0.through }) else { return type }
    return ColumnType(found.kind, isOptional: found.isOptional)
  }

  /// Returns the conversion of values in the records of a layout version, or `nil` if they have the column's
  /// current type.
  func conversion(from version: UInt16) -> ColumnConversion? {
    guard let first = earlier.firstIndex(where: { version <= $0.through }) else { return nil }
    var nilPayload: [UInt8]?
    for index in first..<earlier.count where nilPayload == nil {
      // Nil is replaced when the column first becomes required, and the replacement is kept.
      let following = index + 1 < earlier.count ? earlier[index + 1].kind : type.kind
      nilPayload = earlier[index].nilPayload.map {
        ColumnConversion.converted($0, from: following, to: type.kind)
      }
    }
    return ColumnConversion(columnID: id, from: earlier[first].kind, to: type.kind, nilPayload: nilPayload)
  }

  /// Gives the column another type without changing records.
  ///
  /// - Parameters:
  ///   - new: a type as which all values of the current type can be read.
  ///   - version: the last layout version whose records have the current type.
  ///   - nilPayload: the value that replaces nil if the new type is required.
  /// - Returns: false if nil would have no replacement. Nothing is changed in this case.
  mutating func change(to new: ColumnType, after version: UInt16, nilPayload: [UInt8]?) -> Bool {
    let losesNil = type.isOptional && !new.isOptional
    if losesNil, nilPayload == nil { return false }
    earlier.append(
      EarlierType(
        kind: type.kind,
        isOptional: type.isOptional,
        through: version,
        nilPayload: losesNil ? nilPayload : nil
      )
    )
    if let payload = defaultPayload {
      defaultPayload = ColumnConversion.converted(payload, from: type.kind, to: new.kind)
    } else if losesNil {
      defaultPayload = nilPayload
    }
    type = new
    return true
  }

  /// Whether the entries of the earlier types in the catalogue are consistent.
  func hasConsistentEarlierTypes(layouts: Int) -> Bool {
    guard type.container == .none, type.target == nil else { return false }
    var last: UInt16 = 0
    for (index, entry) in earlier.enumerated() {
      let following =
        index + 1 < earlier.count
        ? ColumnType(earlier[index + 1].kind, isOptional: earlier[index + 1].isOptional) : type
      let own = ColumnType(entry.kind, isOptional: entry.isOptional)
      guard entry.through >= last, Int(entry.through) < layouts, own.isReadable(as: following),
        (entry.nilPayload != nil) == (entry.isOptional && !following.isOptional),
        following.kind.fixedWidth == nil || entry.nilPayload == nil
          || entry.nilPayload?.count == following.kind.fixedWidth
      else { return false }
      last = entry.through
    }
    return true
  }
}

extension ColumnType {
  /// Whether every value of this type is also a value of `new`, so that records need not be rewritten when
  /// the type of a column changes. If `new` is required, nil is replaced separately.
  package func isReadable(as new: ColumnType) -> Bool {
    guard container == .none, new.container == .none else { return false }
    if kind == new.kind { return kind != .link && kind != .embedded && kind != .linkingObjects }
    switch (kind, new.kind) {
    case (.int8, .int16), (.int8, .int32), (.int8, .int64), (.int16, .int32), (.int16, .int64),
      (.int32, .int64), (.int8, .double), (.int16, .double), (.int32, .double), (.float, .double):
      return true
    default: return false
    }
  }
}
