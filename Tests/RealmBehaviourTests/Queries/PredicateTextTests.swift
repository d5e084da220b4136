import FiefRealm
import FiefTesting
import Foundation
import Testing

/// The texts that Foundation gives its predicates.
struct PredicateTextTests {
  @Test func datesBecomeArguments() {
    let text = PredicateText(
      #"born > CAST(730900800.500000, "NSDate") AND (name == "CAST(1, \"NSDate\")" OR born < CAST(-1e3, "NSDate"))"#
    )
    #expect(text.format == #"born > %@ AND (name == "CAST(1, \"NSDate\")" OR born < %@)"#)
    #expect(
      text.arguments as? [Date] == [
        Date(timeIntervalSinceReferenceDate: 730_900_800.5), Date(timeIntervalSinceReferenceDate: -1000),
      ]
    )
    #expect(PredicateText(#"name == 'a"CAST(1, "NSDate")'"#).arguments.isEmpty)
  }

  @Test(arguments: StoreKind.allCases) func textsAreRead(_ kind: StoreKind) throws {
    try withQueriedStore(kind) { transaction in
      for id in 1...10 {
        let person = QueriedPerson(id)
        person.born = Date(timeIntervalSinceReferenceDate: Double(id))
        try transaction.add(person)
      }
    } body: { store in
      let persons = store.objects(QueriedPerson.self)
      for (text, count) in [
        ("id > 3 AND id < 6", 2), ("id BETWEEN {2, 4}", 3), ("id IN {1, 2, 77}", 2), ("NOT id == 1", 9),
        ("TRUEPREDICATE", 10), ("born == nil", 0), (#"name BEGINSWITH[c] "x""#, 0), ("dogs.@count == 0", 10),
        ("SUBQUERY(dogs, $dog, $dog.age > 3).@count == 0", 10), ("ANY dogs.age > 3", 0),
      ] {
        let read = PredicateText(text)
        #expect(read.arguments.isEmpty && persons.filter(read.format).count == count, "\(text)")
      }
    }
  }
}
