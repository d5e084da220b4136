/// A region of the earth's surface in which a query searches for points: ``GeoBox``, ``GeoCircle`` or
/// ``GeoPolygon``.
public protocol GeoShape: Hashable, Sendable {
  /// The shape as a region.
  var region: GeoRegion { get }
}

/// A shape as queries store it.
public enum GeoRegion: Hashable, Sendable {
  /// A rectangle of latitudes and longitudes.
  case box(GeoBox)
  /// A circle.
  case circle(GeoCircle)
  /// A polygon.
  case polygon(GeoPolygon)
}

/// The points between two latitudes and two longitudes, including the boundaries.
///
/// If the left longitude is greater than the right one, the box crosses the 180th meridian.
public struct GeoBox: GeoShape {
  /// The south-west corner.
  public let bottomLeft: GeoPoint
  /// The north-east corner.
  public let topRight: GeoPoint

  /// Creates a box from two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Creates a box from the latitude and longitude of two corners, or returns `nil` if one of them is not a
  /// valid point.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(latitude: bottomLeft.0, longitude: bottomLeft.1),
      let topRight = GeoPoint(latitude: topRight.0, longitude: topRight.1)
    else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// This shape as a region.
  public var region: GeoRegion { .box(self) }
}

/// The points within a distance of a center.
public struct GeoCircle: GeoShape {
  /// The center of the circle.
  public let center: GeoPoint
  /// The maximum distance from the center of the points in the circle.
  public let radius: GeoDistance

  /// Creates a circle.
  public init(center: GeoPoint, radius: GeoDistance) {
    self.center = center
    self.radius = radius
  }

  /// Creates a circle with a radius in radians, or returns `nil` if the radius is negative.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around a latitude and longitude, or returns `nil` if these are not a valid point.
  public init?(center: (Double, Double), radius: GeoDistance) {
    guard let center = GeoPoint(latitude: center.0, longitude: center.1) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around a latitude and longitude with a radius in radians. Returns `nil` if the center
  /// is not a valid point or the radius is negative.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// This shape as a region.
  public var region: GeoRegion { .circle(self) }
}

/// The points that are inside a ring and outside its holes. The inside of a ring is the smaller of the two
/// areas into which it divides the earth.
///
/// Sides are the shortest lines between two points. A point on a side may or may not belong to the polygon. A
/// query throws a ``FiefError`` of code `invalidQuery` if sides cross, if a hole is not inside the outer
/// ring, or if a hole is inside another hole.
public struct GeoPolygon: GeoShape {
  /// The corners, with the first corner repeated at the end.
  public let outerRing: [GeoPoint]
  /// The corners of each hole, with the first corner repeated at the end.
  public let holes: [[GeoPoint]]

  /// Creates a polygon, or returns `nil` if a ring has fewer than three corners or is not closed.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
    for ring in [outerRing] + holes where ring.count < 4 || ring.first != ring.last { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Creates a polygon from latitudes and longitudes. Returns `nil` if these are not valid points or the
  /// rings are invalid.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    func points(_ ring: [(Double, Double)]) -> [GeoPoint]? {
      let points = ring.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
      return points.count == ring.count ? points : nil
    }
    let rings = holes.compactMap(points)
    guard let outerRing = points(outerRing), rings.count == holes.count else { return nil }
    self.init(outerRing: outerRing, holes: rings)
  }

  /// Creates a polygon from latitudes and longitudes. Returns `nil` if these are not valid points or the
  /// rings are invalid.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// This shape as a region.
  public var region: GeoRegion { .polygon(self) }
}

extension GeoRegion {
  /// The region as text in a query. Points begin with the longitude.
  var text: String {
    func text(_ point: GeoPoint) -> String { "[\(point.longitude), \(point.latitude)]" }
    switch self {
    case .box(let box): return "geoBox(\(text(box.bottomLeft)), \(text(box.topRight)))"
    case .circle(let circle): return "geoCircle(\(text(circle.center)), \(circle.radius.radians))"
    case .polygon(let polygon):
      let rings = ([polygon.outerRing] + polygon.holes).map { ring in
        "{" + ring.map { text($0) }.joined(separator: ", ") + "}"
      }
      return "geoPolygon(\(rings.joined(separator: ", ")))"
    }
  }
}
