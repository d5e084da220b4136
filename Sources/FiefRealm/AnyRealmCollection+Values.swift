import Fief

/// A collection of single values has sections, sums and averages, as lists and sets do.
extension AnyRealmCollection: ValueCollection, ValueAggregates where Element: RealmCollectionValue {}
