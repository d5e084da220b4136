/// Access to the parts of an ``AnyRealmValue`` that is a list or a dictionary. A missing part is nil.
extension Query where Value == AnyRealmValue {
  /// The value of a key in the dictionary: `$0.content["title"] == "Lulu"`.
  public subscript(key: String) -> Query<AnyRealmValue> { Query(term.step { [.mapKey(key)] }) }

  /// The value at an index of the list; -1 is the last index: `$0.content["tags"][0] == "cat"`.
  ///
  /// Using any other negative index is an error of code `invalidQuery` when the results are used.
  public subscript(position: Int) -> Query<AnyRealmValue> { Query(term.step { [.index(position)] }) }

  /// Any of the values in the list or in the dictionary: `$0.content["tags"].any == "cat"`.
  public var any: Query<AnyRealmValue> { Query(term.entered(.parts)) }
}
