import LMDB
import Synchronization

/// Stored values that a property's Swift type cannot represent, such as the raw value of an enumeration case
/// that exists only in a newer version of the program.
package enum UnknownValue {
  static var error: FiefError {
    FiefError(
      .invalidValue,
      "A stored value is not a value of the property's type; it stays until the property is assigned."
    )
  }

  /// Returns the number of objects with such values for each property, as text. Embedded objects, at any
  /// depth, are counted under their own type.
  package static func list(in core: StoreCore, _ transaction: LMDB.Transaction) throws -> [String] {
    let search = UnknownValueSearch(core, transaction)
    for table in core.tables.all {
      guard let records = table.records, search.concerns(table) else { continue }
      let cursor = try transaction.cursor(records)
      while try cursor.next() {
        // The check reports damaged objects separately.
        do { try search.look(at: cursor.value, of: table) } catch let error as FiefError
          where error.code == .damagedRecord
        {}
      }
    }
    return search.lines
  }
}

/// The checker's search for values that the types of properties cannot represent.
private final class UnknownValueSearch {
  /// The columns of a type that are searched.
  private struct Plan {
    var properties: [(property: PropertyDescriptor, column: ColumnEntry)] = []
    var embedded: [(column: ColumnEntry, table: Table)] = []
    /// The number of objects with an unknown value, for each of the properties.
    var counts: [Int] = []
  }

  private let tables: StoreTables
  private let transaction: LMDB.Transaction
  private let context: ObjectContext
  private var plans: [UInt32: Plan] = [:]

  init(_ core: StoreCore, _ transaction: LMDB.Transaction) {
    tables = core.tables
    self.transaction = transaction
    context = core.newestContext
    for table in tables.all {
      guard let descriptor = table.descriptor else { continue }
      var plan = Plan()
      for property in descriptor.properties where property.field.mayHaveUnknown && !property.isPrimaryKey {
        guard let column = table.entry.column(named: property.column) else { continue }
        plan.properties.append((property, column))
      }
      plan.counts = plan.properties.map { _ in 0 }
      plans[table.entry.id] = plan
    }
    // Finds the types that contain embedded objects to search, at any depth.
    var isChanged = true
    while isChanged {
      isChanged = false
      for table in tables.all {
        for column in table.entry.currentColumns where column.type.kind == .embedded {
          guard let target = column.type.target.flatMap({ tables[$0] }), concerns(target),
            plans[table.entry.id]?.embedded.contains(where: { $0.column.id == column.id }) == false
          else { continue }
          plans[table.entry.id]?.embedded.append((column, target))
          isChanged = true
        }
      }
    }
  }

  /// Whether objects of a type, or their embedded objects, can have such values.
  func concerns(_ table: Table) -> Bool {
    guard let plan = plans[table.entry.id] else { return false }
    return !plan.properties.isEmpty || !plan.embedded.isEmpty
  }

  func look(at record: UnsafeRawBufferPointer, of table: Table) throws {
    guard let plan = plans[table.entry.id] else { return }
    let view = try table.view(record)
    for (index, part) in plan.properties.enumerated() {
      try table.payload(of: part.column, in: view) { payload in
        guard let payload, try hasUnknown(payload, part.property, part.column) else { return }
        plans[table.entry.id]?.counts[index] += 1
      }
    }
    for part in plan.embedded {
      try table.payload(of: part.column, in: view) { payload in
        guard let payload else { return }
        if part.column.type.container == .none { return try look(at: payload, of: part.table) }
        try CollectionPayload.forEach(payload, type: part.column.type) { _, element in
          if let element { try look(at: element, of: part.table) }
        }
      }
    }
  }

  private func hasUnknown(
    _ payload: UnsafeRawBufferPointer,
    _ property: PropertyDescriptor,
    _ column: ColumnEntry
  ) throws -> Bool {
    guard column.type.container != .none, let marker = try CollectionMarker(payload) else {
      return try property.field.hasUnknown(payload, context: context)
    }
    // The context reads the newest state, in which the property may have another collection.
    let collection = try LargeCollection.at(marker, type: column.type, tables: tables, in: transaction)
    return try collection.payload().withUnsafeBytes { try property.field.hasUnknown($0, context: context) }
  }

  var lines: [String] {
    tables.all.flatMap { table -> [String] in
      guard let plan = plans[table.entry.id] else { return [] }
      return zip(plan.properties, plan.counts).compactMap { part, count in
        if count == 0 { return nil }
        return "\(table.name).\(part.property.name): \(count) \(count == 1 ? "object" : "objects")"
      }
    }
  }
}

extension StoreCore {
  /// Reports the first such value of a property to the event handler. Further calls cost one comparison of
  /// numbers, as long as only one store at a time reads objects of the class.
  func reportUnknown(type: @autoclosure () -> String, _ property: PropertyDescriptor?) {
    if let property, property.unknownReporter.load(ordering: .relaxed) == number { return }
    let (type, name) = (type(), property?.name ?? "")
    let place = "\(type).\(name)"
    let isNew = unknownPlaces.withLock { places in
      if places.contains(where: { $0 == place }) { return false }
      places.append(place)
      return true
    }
    property?.unknownReporter.store(number, ordering: .relaxed)
    if isNew { report(UnknownValue.error, type: type, property: name) }
  }
}
