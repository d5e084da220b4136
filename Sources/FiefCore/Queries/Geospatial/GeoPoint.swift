/// A point on the earth, in degrees.
///
/// It cannot be the type of a property: a point is stored as an embedded object of the shape of GeoJSON, with
/// `@Persisted var type = "Point"` and `@Persisted var coordinates: List<Double>`, the longitude first.
public struct GeoPoint: Hashable, Sendable {
  /// Degrees north of the equator.
  public let latitude: Double
  /// Degrees east of Greenwich.
  public let longitude: Double
  /// Meters above the sea; no query reads it.
  public let altitude: Double

  /// Makes a point; nil for invalid coordinates.
  ///
  /// - Parameters:
  ///   - latitude: -90 to 90 degrees.
  ///   - longitude: -180 to 180 degrees.
  ///   - altitude: meters, not below 0.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude), altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// A distance on the earth, as an angle at its center.
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

  /// A distance in radians; nil for one below 0.
  public static func radians(_ radians: Double) -> GeoDistance? { GeoDistance(radians) }

  /// A distance in degrees; nil for one below 0.
  public static func degrees(_ degrees: Double) -> GeoDistance? { GeoDistance(degrees * .pi / 180) }

  /// A distance in kilometers; nil for one below 0.
  public static func kilometers(_ kilometers: Double) -> GeoDistance? { GeoDistance(kilometers / radius) }

  /// A distance in miles; nil for one below 0.
  public static func miles(_ miles: Double) -> GeoDistance? {
    GeoDistance(miles * kilometersInMile / radius)
  }

  /// The distance in degrees.
  public func asDegrees() -> Double { radians * 180 / .pi }

  /// The distance in kilometers.
  public func asKilometers() -> Double { radians * Self.radius }

  /// The distance in miles.
  public func asMiles() -> Double { radians * Self.radius / Self.kilometersInMile }
}
