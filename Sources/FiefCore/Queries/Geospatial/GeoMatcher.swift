/// Tests whether points are in a region.
struct GeoMatcher {
  private let region: GeoRegion
  private let center: SpherePoint
  private let rings: [SphericalRing]

  init(_ region: GeoRegion) {
    self.region = region
    switch region {
    case .box:
      center = .zero
      rings = []
    case .circle(let circle):
      center = SpherePoint(latitude: circle.center.latitude, longitude: circle.center.longitude)
      rings = []
    case .polygon(let polygon):
      center = .zero
      rings = ([polygon.outerRing] + polygon.holes).map { SphericalRing($0) }
    }
  }

  func contains(latitude: Double, longitude: Double) -> Bool {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
    switch region {
    case .box(let box):
      let (west, east) = (box.bottomLeft.longitude, box.topRight.longitude)
      guard box.bottomLeft.latitude <= latitude, latitude <= box.topRight.latitude else { return false }
      return west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east
    case .circle(let circle):
      let point = SpherePoint(latitude: latitude, longitude: longitude)
      return point.angle(to: center) <= circle.radius.radians
    case .polygon:
      let point = SpherePoint(latitude: latitude, longitude: longitude)
      guard let outer = rings.first, outer.contains(point) else { return false }
      return !rings.dropFirst().contains { $0.contains(point) }
    }
  }
}

extension GeoRegion {
  /// - Throws: ``FiefError`` of code `invalidQuery` if the region is an invalid polygon.
  func check() throws {
    guard case .polygon(let polygon) = self else { return }
    let rings = ([polygon.outerRing] + polygon.holes).map { SphericalRing($0) }
    for (number, ring) in rings.enumerated() {
      for (other, second) in rings.enumerated() where other <= number {
        try Self.checkSides(ring, second, isSame: number == other, [number, other])
      }
    }
    let outer = rings[0]
    for (number, hole) in rings.enumerated().dropFirst() {
      guard
        hole.corners.allSatisfy({ outer.corners.contains($0) || outer.contains($0) && !outer.isOnSide($0) })
      else { throw Self.invalid("A hole is outside its polygon's outer ring.", [number]) }
      for (other, second) in rings.enumerated().dropFirst() where other != number {
        if hole.corners.contains(where: { !second.corners.contains($0) && second.contains($0) }) {
          throw Self.invalid("A hole is inside another hole.", [number, other])
        }
      }
    }
  }

  private static func checkSides(
    _ ring: SphericalRing,
    _ other: SphericalRing,
    isSame: Bool,
    _ numbers: [Int]
  ) throws {
    for (index, first) in ring.sides.enumerated() {
      for (place, second) in other.sides.enumerated() where !isSame || place < index {
        // Sides with a common corner meet there without crossing.
        let isApart = ![first.0, first.1].contains { $0 == second.0 || $0 == second.1 }
        if isApart, SphericalRing.cross(first.0, first.1, second.0, second.1) {
          throw invalid("Sides of a polygon intersect.", numbers)
        }
        if first == second || (first.0 == second.1 && first.1 == second.0) {
          throw invalid("A polygon has the same side twice.", numbers)
        }
      }
    }
  }

  private static func invalid(_ message: String, _ rings: [Int]) -> FiefError {
    FiefError(
      .invalidQuery,
      message,
      details: [
        "the rings (0 is the outer ring): "
          + Set(rings).sorted().map { "\($0)" }.joined(separator: ", ")
      ]
    )
  }
}
