/// The condition that an embedded object is a point in a region.
final class WithinCondition: RowCondition {
  private let type: RowOperand
  private let coordinates: RowCollection
  private let matcher: GeoMatcher

  init(_ type: RowOperand, _ coordinates: RowCollection, _ region: GeoRegion) {
    self.type = type
    self.coordinates = coordinates
    matcher = GeoMatcher(region)
  }

  override var cost: Int { type.cost + coordinates.cost + 300 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard case .text(let text) = try type.evaluate(row, in: environment), text.elementsEqual("Point".utf8)
    else { return false }
    var numbers: [Double] = []
    try coordinates.forEach(row, in: environment) { value in
      guard case .double(let number) = value else { return false }
      numbers.append(number)
      return numbers.count < 2
    }
    return numbers.count == 2 && matcher.contains(latitude: numbers[1], longitude: numbers[0])
  }
}

extension QueryBinding {
  func within(_ path: QueryPath, _ region: GeoRegion) throws -> RowCondition {
    let end = try resolve(path)
    guard end.type.container == .none, end.type.kind == .embedded, let table = end.table,
      let type = try? binder.column(named: GeoRegion.typeName, of: table),
      let coordinates = try? binder.column(named: GeoRegion.coordinatesName, of: table),
      type.type.container == .none, type.type.kind == .string, coordinates.type.container == .list,
      coordinates.type.kind == .double
    else {
      throw binder.invalid(
        "Only an embedded object with the properties of a point can be in a region.",
        property: path.text,
        details: ["expected: a class with type: String and coordinates: List<Double>, the longitude first"]
      )
    }
    let list = try resolve(path.step(GeoRegion.coordinatesName))
    return WithinCondition(
      try value(path.step(GeoRegion.typeName)),
      StoredCollection(list.operand, list.type, part: .values, table: nil),
      region
    )
  }
}

extension GeoRegion {
  /// The names of the properties of a point.
  package static var typeName: String { "type" }
  package static var coordinatesName: String { "coordinates" }
}

extension QueryPath {
  /// Returns the path to a property of this path's target.
  package func step(_ name: String) -> QueryPath { QueryPath(scope: scope, steps: steps + [.property(name)]) }
}
