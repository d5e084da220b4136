import LMDB

/// Finds the relationships that prevent objects from being deleted.
extension Deletion {
  /// A deleted object with a relationship whose delete rule is deny.
  struct Denial {
    let table: Int
    let action: Int
    let key: [UInt8]
    /// The object at the other end, or `nil` for an inverse.
    let target: [UInt8]?

    static func append(
      _ table: Int,
      _ action: Int,
      _ key: UnsafeRawBufferPointer,
      target: UnsafeRawBufferPointer?,
      to bytes: inout [UInt8]
    ) {
      bytes.appendShort(UInt16(truncatingIfNeeded: table))
      bytes.appendShort(UInt16(truncatingIfNeeded: action))
      bytes.appendShort(UInt16(truncatingIfNeeded: key.count))
      bytes.append(contentsOf: key)
      if let target { bytes.append(contentsOf: target) }
    }

    init(_ bytes: [UInt8]) throws {
      table = Int(try bytes.short(at: 0))
      action = Int(try bytes.short(at: 2))
      let end = 6 + Int(try bytes.short(at: 4))
      guard bytes.count >= end else { throw RecordView.damaged }
      key = Array(bytes[6..<end])
      target = bytes.count == end ? nil : Array(bytes[end...])
    }
  }

  /// - Throws: ``FiefError`` of code `deletionDenied` if an object at the other end was not deleted.
  func checkDenials() throws {
    if denying.isEmpty { return }
    try writer.flushBuffers()
    while let bytes = try denying.pop(tree, in: transaction) {
      let denial = try Denial(bytes)
      let action = tables.rules[denial.table].actions[denial.action]
      let other = tables.all[action.other]
      guard let object = try remaining(denial, action, other) else { continue }
      throw FiefError(
        .deletionDenied,
        "The object cannot be deleted while another object is related to it: the relationship's delete rule is deny.",
        store: tables.storeName,
        type: tables.all[denial.table].name,
        property: action.column.name,
        key: tables.all[denial.table].text(ofKey: denial.key),
        details: ["related object: \(other.name)" + HiddenValue.place(other.text(ofKey: object))]
      )
    }
  }

  private func remaining(_ denial: Denial, _ action: TableRules.Relation, _ other: Table) throws -> [UInt8]? {
    guard let target = denial.target else {
      var sources = BacklinkRange(denial.key)
      return try sources.next(1, of: other.links[action.link], in: transaction).first
    }
    let records = try writer.records(of: other)
    return try target.withUnsafeBytes { try transaction.get(records, $0) } == nil ? nil : target
  }
}
