/// Parts of the list or the dictionary that a value of any type is. What is not there is nil.
extension Query where Value == AnyRealmValue {
  /// The value of a key in the dictionary: `$0.content["title"] == "Lulu"`.
  public subscript(key: String) -> Query<AnyRealmValue> { Query(term.step { [.mapKey(key)] }) }

  /// The value at a place of the list, -1 for the last one: `$0.content["tags"][0] == "cat"`.
  ///
  /// Another negative place is an error of code `invalidQuery` where the results are used.
  public subscript(position: Int) -> Query<AnyRealmValue> { Query(term.step { [.index(position)] }) }

  /// Any of the values in the list or in the dictionary: `$0.content["tags"].any == "cat"`.
  public var any: Query<AnyRealmValue> { Query(term.entered(.parts)) }
}
