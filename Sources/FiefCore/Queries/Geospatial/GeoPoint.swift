/// A point on the earth, in degrees.
///
/// This type cannot be the type of a property. Store a point as an embedded object in the shape of GeoJSON,
/// with `@Persisted var type = "Point"` and `@Persisted var coordinates: List<Double>`, longitude first.
public struct GeoPoint: Hashable, Sendable {
  /// Degrees north of the equator.
  public let latitude: Double
  /// Degrees east of Greenwich.
  public let longitude: Double
  /// Meters above sea level. Queries ignore the altitude.
  public let altitude: Double

  /// Creates a point, or returns `nil` if a coordinate is out of range.
  ///
  /// - Parameters:
  ///   - latitude: -90 to 90 degrees.
  ///   - longitude: -180 to 180 degrees.
  ///   - altitude: meters above sea level, at least 0.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// A distance on the earth, expressed as an angle at the earth's center.
public struct GeoDistance: Hashable, Sendable {
  /// The radius of the earth, in kilometers.
  private static let radius = 6378.1
  private static let kilometersInMile = 1.609_344

  /// The angle in radians.
  public let radians: Double

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Returns a distance in radians, or `nil` if it is negative.
  public static func radians(_ radians: Double) -> GeoDistance? { GeoDistance(radians) }

  /// Returns a distance in degrees, or `nil` if it is negative.
  public static func degrees(_ degrees: Double) -> GeoDistance? { GeoDistance(degrees * .pi / 180) }

  /// Returns a distance in kilometers, or `nil` if it is negative.
  public static func kilometers(_ kilometers: Double) -> GeoDistance? { GeoDistance(kilometers / radius) }

  /// Returns a distance in miles, or `nil` if it is negative.
  public static func miles(_ miles: Double) -> GeoDistance? {
    GeoDistance(miles * kilometersInMile / radius)
  }

  /// Returns the distance in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }

  /// Returns the distance in kilometers.
  public func asKilometers() -> Double { radians * Self.radius }

  /// Returns the distance in miles.
  public func asMiles() -> Double { radians * Self.radius / Self.kilometersInMile }
}
