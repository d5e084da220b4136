import Fief

/// A collection of single values has sections, sums and means as lists and sets have them.
extension AnyRealmCollection: ValueCollection where Element: RealmCollectionValue {}
