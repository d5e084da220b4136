/// A class and the table that its objects are kept in: which property is which column.
final class ObjectBinding: Sendable {
  let descriptor: ObjectDescriptor
  let table: Table
  /// How records of each layout version are read.
  let decodePlans: [DecodePlan]
  /// The properties in the order of the current layout's columns.
  let encodeSteps: [EncodeStep]
  let primaryKey: [PropertyDescriptor]
  /// Whether objects have collections or embedded objects, which others may hold without their owner.
  let hasParts: Bool
  /// The column of each property, in the order of the descriptor's properties.
  private let columnIDs: [UInt16?]

  struct EncodeStep: Sendable {
    let property: PropertyDescriptor
    let place: Layout.Place
  }

  init(descriptor: ObjectDescriptor, table: Table) {
    self.descriptor = descriptor
    self.table = table
    let columnIDs = descriptor.properties.map { table.entry.column(named: $0.column)?.id }
    self.columnIDs = columnIDs
    self.hasParts = descriptor.properties.contains {
      $0.type.isStored && ($0.type.container != .none || $0.type.kind == .embedded)
    }
    self.primaryKey = descriptor.primaryKey.map { descriptor.properties[$0] }
    var propertyByColumn: [UInt16: PropertyDescriptor] = [:]
    for (property, id) in zip(descriptor.properties, columnIDs) {
      if let id { propertyByColumn[id] = property }
    }
    self.encodeSteps = table.currentLayout.places.compactMap { place in
      propertyByColumn[place.column.id].map { EncodeStep(property: $0, place: place) }
    }
    self.decodePlans = table.layouts.map {
      DecodePlan(layout: $0, entry: table.entry, properties: propertyByColumn)
    }
  }

  func columnID(ofPropertyAt offset: Int) -> UInt16? {
    guard let index = descriptor.properties.firstIndex(where: { $0.offset == offset }) else { return nil }
    return columnIDs[index]
  }
}

/// How a record of one layout version becomes the fields of an object.
struct DecodePlan: Sendable {
  struct Step: Sendable {
    let property: PropertyDescriptor
    let place: Layout.Place
  }

  /// A property that the layout has no column for: it reads as the column's default.
  struct Missing: Sendable {
    let property: PropertyDescriptor
    let payload: [UInt8]?
  }

  let layout: Layout
  let steps: [Step]
  let missing: [Missing]
  /// Whether a record has anything that is read at its first use, so that the object keeps a copy of it.
  let hasDeferred: Bool

  init(layout: Layout, entry: TypeEntry, properties: [UInt16: PropertyDescriptor]) {
    self.layout = layout
    var steps: [Step] = []
    for place in layout.places {
      if let property = properties[place.column.id] { steps.append(Step(property: property, place: place)) }
    }
    let present = Set(layout.places.map(\.column.id))
    self.missing = entry.currentColumns.compactMap { column in
      guard !present.contains(column.id), !entry.primaryKey.contains(column.id), column.type.isStored,
        let property = properties[column.id]
      else { return nil }
      return Missing(property: property, payload: column.defaultPayload)
    }
    self.steps = steps
    self.hasDeferred = steps.contains { $0.property.access == .fault || $0.property.access == .collection }
  }
}
