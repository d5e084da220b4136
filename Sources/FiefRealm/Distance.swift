/// A distance on the earth, under Realm's name.
public typealias Distance = GeoDistance
