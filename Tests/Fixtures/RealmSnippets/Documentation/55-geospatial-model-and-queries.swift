import FiefRealm
import Foundation

class GeoPlace: EmbeddedObject {
  @Persisted private var coordinates: List<Double>
  @Persisted private var type: String = "Point"
  var latitude: Double { coordinates[1] }
  var longitude: Double { coordinates[0] }

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

class Shop: Object {
  @Persisted var place: GeoPlace?
}

func example(realm: Realm) {
  let circle = GeoCircle(center: (47.3, 9.2), radiusInRadians: 0.01)!
  let near = GeoCircle(center: GeoPoint(latitude: 47, longitude: 9)!, radius: Distance.kilometers(40.0)!)
  let box = GeoBox(bottomLeft: (46, 8), topRight: (48, 10))!
  let polygon = GeoPolygon(outerRing: [(0, 0), (0, 5), (5, 5), (0, 0)], holes: [[(1, 1), (1, 2), (2, 2), (1, 1)]])!
  let shops = realm.objects(Shop.self)
  print(shops.where { $0.place.geoWithin(circle) }.count, shops.where { $0.place.geoWithin(near) }.count)
  print(shops.filter("place IN %@", box).count, shops.where { $0.place.geoWithin(polygon) }.count)
}
