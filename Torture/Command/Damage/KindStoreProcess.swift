import Fief
import FiefTorture
import Foundation

/// A process that damages copies of stores with each kind of value, collection and index, in clear and encrypted, and uses each.
struct KindStoreProcess: DamageRole {
  /// A store, and its answers where nothing is damaged.
  private struct KindStore {
    let encryption: StoreEncryption?
    let files: [String: [UInt8]]
    let readings: CatalogueReadings
    /// The answers, what changes came to, and the answers after these.
    let answers: [[StoreReadings.Answer]]

    var name: String { encryption == nil ? "in clear" : "encrypted" }
    /// The codes of an opening beside those of damage: of a format that is not known, and of an encryption that is not the store's.
    var openingCodes: Set<String> {
      encryption == nil
        ? ["formatTooNew", "formatTooOld", "encrypted", "notEncrypted"]
        : ["formatTooNew", "formatTooOld", "wrongKey", "notEncrypted"]
    }
  }

  private let directory: String
  private let stores: [KindStore]

  init(_ directory: String, _ arguments: Arguments) throws {
    self.directory = directory
    let key = StoreEncryption.key(Data((0..<32).map { UInt8($0) }))
    stores = try [nil, key].map { encryption in
      try StoreFiles.remove(directory + "/kinds")
      let repository = KindRepository(directory: directory, encryption: encryption)
      try repository.fill()
      let path = directory + "/kinds"
      let files = try Dictionary(
        uniqueKeysWithValues: ["data.mdb", "store.manifest"].map {
          ($0, try StoreFiles.read("\(path)/\($0)"))
        }
      )
      return try OldStoreProcess.withStore(path, isReadOnly: false, encryption: encryption) { store in
        var readings = try CatalogueReadings(store)
        let answers = [readings.answers(of: store), readings.change(store), readings.answers(of: store)]
        readings.note(answers[0])
        readings.note(answers[2])
        guard answers[0] != answers[2], try store.check().isConsistent else {
          throw BrokenTest("the healthy store is not changed, or not whole")
        }
        return KindStore(encryption: encryption, files: files, readings: readings, answers: answers)
      }
    }
  }

  func use(_ round: Int, _ seed: Int, isControl: Bool, _ answers: inout AnswerCount) throws {
    var random = TortureRandom(seed: seed &* 1_000_003 &+ round)
    let store = stores[round % stores.count]
    let number = round / stores.count
    var files = store.files
    var place = store.name + " "
    if isControl {
      place += "another value of an object"
    } else if number % 16 == 15 {
      place += StoreFiles.damageFile("store.manifest", of: &files, &random)
    } else {
      place += StoreFiles.damageData(of: &files, number - number / 16, seed: seed, &random)
    }
    place = "round \(round) \(place)"
    say(place)
    let path = directory + "/kinds"
    try StoreFiles.put(files, in: path)
    if isControl { try forge(store) }
    // Every second sixteen are open as a store that is too large to be verified at once; the other handle has the same files.
    var repository = KindRepository(directory: directory, encryption: store.encryption)
    repository.isVerifiedByPage = number / 16 % 2 == 1
    defer { repository.close() }
    // An encrypted store has other bytes in each process: what is wrong, also an end of this process, is repeated with these files.
    let (found, before) = ("\(directory)-found-\(round)", answers.numberOfWrongs)
    if !isControl { try StoreFiles.put(files, in: found) }
    defer {
      if !isControl, answers.numberOfWrongs == before { try? StoreFiles.remove(found) }
    }
    do {
      if repository.isVerifiedByPage { try repository.open() }
      try OldStoreProcess.withStore(path, isReadOnly: false, encryption: store.encryption) { damaged in
        ask(store, damaged, isControl: isControl, place, &answers)
      }
    } catch { answers.judgeOpening(error, place, allowed: store.openingCodes) }
  }

  private func ask(
    _ store: KindStore,
    _ damaged: DynamicStore,
    isControl: Bool,
    _ place: String,
    _ answers: inout AnswerCount
  ) {
    answers.judge(store.readings, of: damaged, right: store.answers[0], moment: "")
    let changes = store.readings.change(damaged)
    for (number, (answer, right)) in zip(changes, store.answers[1]).enumerated() {
      answers.judge("change \(number)", answer, right: right, store.readings.known)
    }
    if changes == store.answers[1] {
      answers.judge(
        store.readings,
        of: damaged,
        right: store.answers[2],
        moment: ", changed",
        isAfterWrite: true
      )
    }
    answers.finish(place, isControl: isControl) { try damaged.check().isConsistent }
  }

  /// Gives an object another value, as a record would have it whose checksum is not looked at.
  private func forge(_ store: KindStore) throws {
    let repository = KindRepository(directory: directory, encryption: store.encryption)
    defer { repository.close() }
    try repository.write { transaction in
      try transaction.object(ofType: KindObject.self, forPrimaryKey: KindObject.key(50))?.double = 123.5
    }
  }
}
