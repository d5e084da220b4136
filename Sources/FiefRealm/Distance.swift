/// A distance on the earth, by the name that Realm uses.
public typealias Distance = GeoDistance
