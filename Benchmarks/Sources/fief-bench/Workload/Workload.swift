/// The objects, the keys of each row, and the answers that are right: `Workload` in `Peers/workload.hpp`.
struct Workload {
  let count: Int
  let persons: [Person]
  let randomKeys: [Int]
  /// The persons that are changed or deleted, in no order.
  let picked: [Int]
  private(set) var all = Tally()
  private(set) var full: UInt64 = 0
  private(set) var randomSum: UInt64 = 0
  private(set) var ageSum = 0
  private(set) var greatestAge = 0
  /// Age 30...39 and a name with A; age 37; age 30...39.
  private(set) var filtered = Tally()
  private(set) var ofAge37 = Tally()
  private(set) var ofRange = Tally()
  /// The first hundred by age and name.
  private(set) var topSum: UInt64 = 0
  private(set) var dogSum = 0
  private(set) var pickedDogSum = 0
  /// Indexes of persons by creation and id, and the places in it that pages begin after.
  private let byCreation: [Int]
  private let pagePlaces: [Int]

  init(count: Int) {
    self.count = count
    let persons = (1...count).map { Person(id: $0) }
    self.persons = persons
    var random = SplitMix(state: 12345)
    randomKeys = (0..<100_000).map { _ in 1 + random.next(below: count) }
    var shuffled = Array(1...count)
    let share = min(10_000, count / 2)
    for index in 0..<share { shuffled.swapAt(index, index + random.next(below: count - index)) }
    picked = Array(shuffled[..<share])
    byCreation = persons.indices.sorted {
      (persons[$0].createdAt, $0) < (persons[$1].createdAt, $1)
    }
    pagePlaces = (0..<1000).map { _ in random.next(below: count) }
    tally()
  }

  private mutating func tally() {
    for person in persons {
      let digest = Digest.cheap(person)
      all.add(digest)
      full &+= Digest.full(person)
      ageSum += person.age
      greatestAge = max(greatestAge, person.age)
      if person.age == 37 { ofAge37.add(digest) }
      if (30..<40).contains(person.age) {
        ofRange.add(digest)
        if person.name.hasPrefix("A") { filtered.add(digest) }
      }
    }
    for key in randomKeys { randomSum &+= Digest.cheap(persons[key - 1]) }
    let top = persons.sorted { ($0.age, $0.name, $0.id) < ($1.age, $1.name, $1.id) }.prefix(100)
    topSum = top.reduce(0) { Digest.ordered($0, Digest.cheap($1)) }
    for id in 1...3 * count { dogSum += DogValues(id: id).age }
    for owner in picked {
      for id in DogValues.ids(ofOwner: owner) { pickedDogSum += DogValues(id: id).age }
    }
  }

  /// The person after which a page begins.
  func pageStart(_ page: Int) -> Person { persons[byCreation[pagePlaces[page]]] }

  /// The digest of the first pages, of twenty persons each.
  func pageSum(_ pages: Int) -> UInt64 {
    var sum: UInt64 = 0
    for place in pagePlaces.prefix(pages) {
      for index in byCreation[(place + 1)...].prefix(20) {
        sum = Digest.ordered(sum, Digest.cheap(persons[index]))
      }
    }
    return sum
  }

  /// The digest of the store after some persons were changed, or deleted where there is no change.
  func full(after keys: some Sequence<Int>, _ change: ((inout Person) -> Void)? = nil) -> UInt64 {
    keys.reduce(full) { sum, key in
      var person = persons[key - 1]
      let without = sum &- Digest.full(person)
      guard let change else { return without }
      change(&person)
      return without &+ Digest.full(person)
    }
  }

  /// Persons that are not in the stores yet.
  func more(_ number: Int) -> [Person] { (1...number).map { Person(id: count + $0) } }

  /// The number of operations in a row of one commit each: fewer where there are fewer objects.
  func commits(_ most: Int) -> Int { max(1, min(most, count * most / 100_000)) }

  /// The right answers as the peers print them: what has to agree before anything is measured.
  var expectation: String {
    """
    N \(count)
    sumDigest \(all.sum)
    sumFull \(full)
    ageSum \(ageSum)
    E \(filtered.count) \(filtered.sum)
    e37 \(ofAge37.count) \(ofAge37.sum)
    R \(ofRange.count) \(ofRange.sum)
    rndSum \(randomSum)
    top \(topSum)
    pages \(pageSum(1000))
    rel \(pickedDogSum)

    """ + TreeWorkload(count: count).expectation
  }
}
