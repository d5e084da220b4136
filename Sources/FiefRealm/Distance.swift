/// A distance on the earth, by the name that code written for Realm has.
public typealias Distance = GeoDistance
