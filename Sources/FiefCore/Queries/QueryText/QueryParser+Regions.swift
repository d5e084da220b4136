extension QueryParser {
  static let regions: Set<String> = ["GEOBOX", "GEOCIRCLE", "GEOPOLYGON"]

  /// Parses the parentheses of `geoBox([12, 55], [13, 56])`, `geoCircle([12, 55], 0.001)` and
  /// `geoPolygon({[0, 0], [1, 1], [2, 0], [0, 0]}, {…})`. Points begin with the longitude.
  mutating func region(_ name: String, at start: Int) throws -> GeoRegion {
    switch name {
    case "GEOBOX":
      let corner = try point()
      try expect(",")
      return .box(GeoBox(bottomLeft: corner, topRight: try point()))
    case "GEOCIRCLE":
      let center = try point()
      try expect(",")
      if let circle = GeoCircle(center: center, radiusInRadians: try coordinate()) { return .circle(circle) }
    default:
      var rings = [try ring()]
      while try skip(symbol: ",") { rings.append(try ring()) }
      if let polygon = GeoPolygon(outerRing: rings[0], holes: Array(rings.dropFirst())) {
        return .polygon(polygon)
      }
    }
    throw source.error(
      "The region is invalid.",
      at: start,
      expected: "a radius of at least 0 radians, or rings of three points and the first point again"
    )
  }

  private mutating func ring() throws -> [GeoPoint] {
    try expect("{")
    var points = [try point()]
    while try skip(symbol: ",") { points.append(try point()) }
    try expect("}")
    return points
  }

  private mutating func point() throws -> GeoPoint {
    let start = token.start
    try expect("[", "a point: [longitude, latitude]")
    let longitude = try coordinate()
    try expect(",")
    let latitude = try coordinate()
    let altitude = try skip(symbol: ",") ? coordinate() : 0
    try expect("]")
    guard let point = GeoPoint(latitude: latitude, longitude: longitude, altitude: altitude) else {
      throw source.error(
        "The point is invalid.",
        at: start,
        expected: "a longitude from -180 to 180 degrees and a latitude from -90 to 90"
      )
    }
    return point
  }

  private mutating func coordinate() throws -> Double {
    let isNegative = try skip(symbol: "-")
    guard case .number(let digits) = token.kind, let number = Double(digits) else {
      throw unexpected("a number")
    }
    try advance()
    return isNegative ? -number : number
  }
}
