import Foundation

/// A point on the unit sphere.
typealias SpherePoint = SIMD3<Double>

extension SIMD3<Double> {
  init(latitude: Double, longitude: Double) {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    self.init(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  func dot(_ other: Self) -> Double { (self * other).sum() }

  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var unit: Self {
    let length = dot(self).squareRoot()
    return length > 0 ? self / length : self
  }

  /// Returns the angle between two points, in radians.
  func angle(to other: Self) -> Double {
    let chord = self - other
    return 2 * asin(Swift.min(1, chord.dot(chord).squareRoot() / 2))
  }
}

/// A closed line on the sphere along great circles, and the smaller of the two areas that it encloses.
struct SphericalRing {
  /// The corners, each once, in the direction in which the inside is on the left.
  let corners: [SpherePoint]
  /// A point outside the ring.
  private let outside: SpherePoint

  /// The distance of the outside point from the first side.
  private static let distance = 1e-10

  /// - Parameter ring: the corners, with the first corner repeated at the end.
  init(_ ring: [GeoPoint]) {
    var corners = ring.dropLast().map { SpherePoint(latitude: $0.latitude, longitude: $0.longitude) }
    // The sum of the turning angles is a full turn minus the area to the left of the line.
    var turns = 0.0
    for index in corners.indices {
      let corner = corners[index]
      let before = corners[(index + corners.count - 1) % corners.count].cross(corner)
      let after = corner.cross(corners[(index + 1) % corners.count])
      turns += atan2(before.cross(after).dot(corner), before.dot(after))
    }
    if turns < 0 { corners.reverse() }
    self.corners = corners
    guard corners.count > 1 else {
      outside = SpherePoint(0, 0, 1)
      return
    }
    let left = corners[0].cross(corners[1]).unit
    outside = ((corners[0] + corners[1]).unit - left * Self.distance).unit
  }

  /// The sides, as pairs of corners.
  var sides: [(SpherePoint, SpherePoint)] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  func contains(_ point: SpherePoint) -> Bool {
    // The shortest line between opposite points is not unique, so the test uses a third point.
    guard point.dot(outside) > -0.9 else {
      let axis = abs(outside.x) < 0.5 ? SpherePoint(1, 0, 0) : SpherePoint(0, 1, 0)
      let between = outside.cross(axis).unit
      return crosses(point, between) != crosses(between, outside)
    }
    return crosses(point, outside)
  }

  /// Whether the line between two points crosses the ring an odd number of times.
  private func crosses(_ first: SpherePoint, _ second: SpherePoint) -> Bool {
    var isOdd = false
    for index in corners.indices
    where Self.cross(first, second, corners[index], corners[(index + 1) % corners.count]) {
      isOdd.toggle()
    }
    return isOdd
  }

  /// Whether two sides cross at a point that is an end of neither side.
  static func cross(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    let ab = a.cross(b)
    let acb = -ab.dot(c)
    let bda = ab.dot(d)
    guard acb * bda > 0 else { return false }
    let cd = c.cross(d)
    return acb * -cd.dot(b) > 0 && acb * cd.dot(a) > 0
  }

  /// Whether a point is on a side but is not a corner.
  func isOnSide(_ point: SpherePoint) -> Bool {
    sides.contains { side in
      let normal = side.0.cross(side.1)
      guard abs(normal.unit.dot(point)) < 1e-15, point != side.0, point != side.1 else { return false }
      return side.0.cross(point).dot(normal) > 0 && point.cross(side.1).dot(normal) > 0
    }
  }
}
