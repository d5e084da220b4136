/// A part of the earth's surface that a query asks points for: ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
public protocol GeoShape: Hashable, Sendable {
  /// The shape as a region that queries store.
  var region: GeoRegion { get }
}

/// One of the shapes.
public enum GeoRegion: Hashable, Sendable {
  /// A rectangle of latitudes and longitudes.
  case box(GeoBox)
  /// A circle.
  case circle(GeoCircle)
  /// A polygon.
  case polygon(GeoPolygon)
}

/// The points between two latitudes and two longitudes, these included.
///
/// A box whose left longitude is the greater one goes across the 180th meridian.
public struct GeoBox: GeoShape {
  /// The corner in the south-west.
  public let bottomLeft: GeoPoint
  /// The corner in the north-east.
  public let topRight: GeoPoint

  /// Makes a box of two corners.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Makes a box of the latitudes and longitudes of two corners; nil where one is no point.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let bottomLeft = GeoPoint(latitude: bottomLeft.0, longitude: bottomLeft.1),
      let topRight = GeoPoint(latitude: topRight.0, longitude: topRight.1)
    else { return nil }
    self.init(bottomLeft: bottomLeft, topRight: topRight)
  }

  /// The shape.
  public var region: GeoRegion { .box(self) }
}

/// The points that are no further than a distance from a center.
public struct GeoCircle: GeoShape {
  /// The point in the middle.
  public let center: GeoPoint
  /// The greatest distance of a point in the circle from its center.
  public let radius: GeoDistance

  /// Makes a circle.
  public init(center: GeoPoint, radius: GeoDistance) {
    self.center = center
    self.radius = radius
  }

  /// Makes a circle with a radius in radians; nil for one below 0.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Makes a circle around a latitude and a longitude; nil where these are no point.
  public init?(center: (Double, Double), radius: GeoDistance) {
    guard let center = GeoPoint(latitude: center.0, longitude: center.1) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Makes a circle around a latitude and a longitude; nil where these are no point, and for a radius below 0.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let radius = GeoDistance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// The shape.
  public var region: GeoRegion { .circle(self) }
}

/// The points in a ring and in none of its holes, the smaller of the two parts that a ring makes of the earth.
///
/// Sides are the shortest lines between two points. A point on a side may or may not belong to the polygon. A
/// query with sides that cross, and with holes that are not in the ring or in each other, is a ``FiefError``
/// of code `invalidQuery`.
public struct GeoPolygon: GeoShape {
  /// The corners, the first one once more at the end.
  public let outerRing: [GeoPoint]
  /// The corners of each hole, the first one once more at the end.
  public let holes: [[GeoPoint]]

  /// Makes a polygon; nil where a ring has fewer than three corners or is not closed.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
    for ring in [outerRing] + holes where ring.count < 4 || ring.first != ring.last { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes a polygon of latitudes and longitudes; nil where these are no points or no rings.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    func points(_ ring: [(Double, Double)]) -> [GeoPoint]? {
      let points = ring.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
      return points.count == ring.count ? points : nil
    }
    let rings = holes.compactMap(points)
    guard let outerRing = points(outerRing), rings.count == holes.count else { return nil }
    self.init(outerRing: outerRing, holes: rings)
  }

  /// Makes a polygon of latitudes and longitudes; nil where these are no points or no rings.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// The shape.
  public var region: GeoRegion { .polygon(self) }
}

extension GeoRegion {
  /// The region as the text form has it: points begin with the longitude.
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
