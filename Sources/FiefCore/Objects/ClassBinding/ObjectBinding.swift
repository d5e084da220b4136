/// A class and the table of its objects, with the mapping of properties to columns.
// SAFETY: only `init` writes the memory of `decodePlans` and `encodeSteps`, which lives as long as the
// binding. Everything else is constant.
package final class ObjectBinding: @unchecked Sendable {
  package let descriptor: ObjectDescriptor
  package let table: Table
  /// The plans for decoding records, one for each layout of the table.
  let decodePlans: UnsafePointer<DecodePlan>
  /// The properties in the order of the current layout's columns.
  let encodeSteps: UnsafeBufferPointer<FieldStep>
  // SAFETY: the table owns the layout, and the binding owns the table.
  unowned(unsafe) let currentLayout: Layout
  package let primaryKey: [PropertyDescriptor]
  /// Whether the primary key has secret parts, which are sealed in object keys.
  let hasSecretKey: Bool
  /// The offset in an object of a primary key that is a single integer.
  let integerKeyOffset: Int?
  /// Whether objects have links, embedded objects or collections.
  let hasLinksOrParts: Bool

  init(descriptor: ObjectDescriptor, table: Table) {
    self.descriptor = descriptor
    self.table = table
    self.primaryKey = descriptor.primaryKey.map { descriptor.properties[$0] }
    let only = primaryKey.count == 1 ? primaryKey.first : nil
    self.hasSecretKey = table.hasSecretKey
    self.integerKeyOffset = table.hasSecretKey ? nil : only.flatMap { $0.access == .int ? $0.offset : nil }
    // This is an array of integers. A dictionary or an array of an internal type would be the first of its
    // kind in the process, and creating its type takes the runtime long.
    var indexByColumn = [Int](repeating: -1, count: Int(table.entry.nextColumnID))
    for (index, property) in descriptor.properties.enumerated() {
      guard let id = table.entry.id(ofColumnNamed: property.column), Int(id) < indexByColumn.count else {
        continue
      }
      indexByColumn[Int(id)] = index
    }
    self.currentLayout = table.currentLayout
    self.encodeSteps = FieldStep.steps(
      of: table.currentLayout,
      descriptor,
      indexByColumn,
      includesDropped: false
    )
    self.hasLinksOrParts =
      encodeSteps.contains { $0.access == .fault || $0.access == .collection }
      || descriptor.properties.contains { $0.type.kind == .embedded || $0.type.kind == .any }
    let plans = UnsafeMutablePointer<DecodePlan>.allocate(capacity: table.layouts.count)
    for (index, layout) in table.layouts.enumerated() {
      (plans + index).initialize(
        to: DecodePlan(
          layout: layout,
          entry: table.entry,
          descriptor: descriptor,
          indexByColumn: indexByColumn
        )
      )
    }
    self.decodePlans = UnsafePointer(plans)
  }

  deinit {
    for index in 0..<table.layouts.count { decodePlans[index].deallocate() }
    decodePlans.deallocate()
    encodeSteps.deallocate()
  }

  /// Returns the step for the property at an offset in an object, or `nil` if records do not contain the
  /// property.
  func step(ofPropertyAt offset: Int) -> FieldStep? {
    encodeSteps.first { Int($0.offset) == offset }
  }

  /// Whether an object's class is exactly the binding's class. Another class with the same name may describe
  /// the same type.
  @inline(__always)
  func isOfClass(_ object: ObjectBase) -> Bool {
    ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(descriptor.type)
  }

  func columnID(ofPropertyAt offset: Int) -> UInt16? { step(ofPropertyAt: offset)?.place.columnID }
}

/// One field and its column, as one step of reading or writing an object. Like ``Layout/Place`` it contains
/// only numbers.
struct FieldStep: Sendable {
  let access: FieldAccess
  let place: Layout.Place
  /// The offset of the wrapper in an object, in bytes.
  let offset: Int32
  /// The offset of the wrapper's flags in an object, in bytes.
  let flagsOffset: Int32
  /// The index in the descriptor's properties.
  let property: Int32

  private init(steppingOver place: Layout.Place) {
    self.init(access: .none, place: place, offset: -1, flagsOffset: -1, property: -1)
  }

  private init(access: FieldAccess, place: Layout.Place, offset: Int32, flagsOffset: Int32, property: Int32) {
    self.access = access
    self.place = place
    self.offset = offset
    self.flagsOffset = flagsOffset
    self.property = property
  }

  /// Returns the steps in newly allocated memory, which the caller must free.
  ///
  /// - Parameter includesDropped: whether to include steps that skip integers of dropped columns. A record
  ///   still contains these integers, so the start of the next one depends on them.
  static func steps(
    of layout: Layout,
    _ descriptor: ObjectDescriptor,
    _ indexByColumn: [Int],
    includesDropped: Bool
  ) -> UnsafeBufferPointer<FieldStep> {
    let steps = UnsafeMutableBufferPointer<FieldStep>.allocate(capacity: layout.places.count)
    var count = 0
    for place in layout.places {
      let column = Int(place.columnID)
      guard column < indexByColumn.count, indexByColumn[column] >= 0 else {
        if includesDropped, place.form == .integer {
          steps.initializeElement(at: count, to: FieldStep(steppingOver: place))
          count += 1
        }
        continue
      }
      let property = descriptor.properties[indexByColumn[column]]
      steps.initializeElement(
        at: count,
        to: FieldStep(
          access: property.access.reading(layout.conversion(at: place), from: place.form),
          place: place,
          offset: Int32(truncatingIfNeeded: property.offset),
          flagsOffset: Int32(truncatingIfNeeded: property.flagsOffset),
          property: Int32(truncatingIfNeeded: indexByColumn[column])
        )
      )
      count += 1
    }
    return UnsafeBufferPointer(rebasing: steps[..<count])
  }
}

/// The plan for decoding records of one layout version into the fields of an object.
///
/// It contains only numbers and addresses and belongs to the binding. A reference or an array would be
/// retained and released for each object that is read.
struct DecodePlan: @unchecked Sendable {
  /// A property without a column in the layout. It reads as the column's default.
  struct MissingProperty: Sendable {
    let property: PropertyDescriptor
    let payload: [UInt8]?
  }

  // SAFETY: the binding owns the table, which owns the layout.
  let shape: UnsafePointer<RecordView.Shape>
  // SAFETY: only `init` writes it, and it is freed with the binding.
  let steps: UnsafeBufferPointer<FieldStep>
  let missing: UnsafeBufferPointer<MissingProperty>
  /// Whether the object keeps a copy of the record, because values are read lazily.
  let hasDeferred: Bool

  init(layout: Layout, entry: TypeEntry, descriptor: ObjectDescriptor, indexByColumn: [Int]) {
    self.shape = layout.shape
    let steps = FieldStep.steps(of: layout, descriptor, indexByColumn, includesDropped: true)
    var missing: [MissingProperty] = []
    // The loop uses indexes, as in `Layout`.
    for index in entry.columns.indices {
      let column = entry.columns[index]
      guard !column.isDropped, layout.place(ofColumn: column.id) == nil,
        !entry.primaryKey.contains(column.id),
        column.type.isStored, Int(column.id) < indexByColumn.count, indexByColumn[Int(column.id)] >= 0
      else { continue }
      let property = descriptor.properties[indexByColumn[Int(column.id)]]
      missing.append(MissingProperty(property: property, payload: column.defaultPayload))
    }
    self.steps = steps
    self.missing = missing.copiedToMemory()
    self.hasDeferred = steps.contains { $0.access == .fault || $0.access == .collection }
  }

  func deallocate() {
    steps.deallocate()
    UnsafeMutableBufferPointer(mutating: missing).deinitialize()
    missing.deallocate()
  }
}

extension Array {
  /// Copies the elements into newly allocated memory, which the caller must free.
  fileprivate func copiedToMemory() -> UnsafeBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    _ = memory.initialize(fromContentsOf: self)
    return UnsafeBufferPointer(memory)
  }
}
