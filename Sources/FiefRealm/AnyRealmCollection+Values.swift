import Fief

/// A collection of single values can be divided into sections and has sums and averages, like lists and sets.
extension AnyRealmCollection: ValueCollection, ValueAggregates where Element: RealmCollectionValue {}
