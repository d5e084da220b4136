import Foundation

/// Conformances that are searched while a program runs, and whose file nothing else refers to: one of each file.
///
/// A file belongs here that conforms a type of another file to a protocol of another one. The tests of static archives
/// find the ones that are missing.
enum FoundConformances {
  static var types: [Any.Type] {
    let expressions: [any TranslatableExpression.Type] = [
      PredicateExpressions.Negation<PredicateExpressions.Value<Bool>>.self,
      PredicateExpressions.UnaryMinus<PredicateExpressions.Value<Int>>.self,
      PredicateExpressions.SequenceMaximum<PredicateExpressions.Value<[Int]>>.self,
      PredicateExpressions.SequenceStartsWith<
        PredicateExpressions.Value<String>, PredicateExpressions.Value<String>
      >.self,
      PredicateExpressions.Variable<Int>.self,
    ]
    let encodable: [any Encodable.Type] = [
      List<Int>.self, AnyRealmValue.self, Persisted<Int>.self, LinkingObjects<Object>.self,
    ]
    let values: [any Persistable.Type] = [AnyRealmValue.self, Int?.self, Int.self, URL.self, UInt.self]
    let sequences: [any Sequence.Type] = [Results<Object>.self]
    let numbers: [any _QueryableNumber.Type] = [Date.self]
    let observed: [any ObservableCollection.Type] = [
      List<Int>.self, Results<Object>.self, ProjectedResults<Projection<Object>, Object>.self,
    ]
    let objects: [any ObservableObjectBase.Type] = [Object.self]
    let hashable: [any Hashable.Type] = [Object.self]
    let equatable: [any Equatable.Type] = [List<Int>.self, Store.self, Results<Object>.self]
    let fields: [any PersistedField.Type] = [Persisted<Int>.self]
    let collections: [any LinkedElement.Type] = [List<Int>.self]
    let wholes: [any CollectionValue.Type] = [[Int].self]
    let queried: [any _QueryableCollection.Type] = [[Int].self]
    let keys: [any QueryableKeys.Type] = [Results<Object>.self]
    return collections + wholes + queried + keys + expressions + encodable + values + sequences + numbers
      + observed
      + objects
      + hashable + equatable
      + fields
  }
}
