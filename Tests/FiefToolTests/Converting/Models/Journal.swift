// swift-format-ignore-file
import Foundation
import FiefRealm

/** The pages of a journal. */
open class JournalPage : Object
{
	@Persisted(primaryKey: true) public var id : Int = 0
	@Persisted(indexed: true) public var title : String = "" ;
	@Persisted public var body : String? = nil
	@Persisted(indexed: true) public var created : Date = Date()
	@Persisted public var rating : Double = 0 { willSet { print("rated \(newValue)") } }
	@Persisted public var mood = JournalMood.good
	@Persisted public var lastMood: JournalMood = JournalMood.bad
	@Persisted public var tags: List<String>
	@Persisted public var links: List<JournalPage>
	@Persisted public var places: Map<String, JournalPlace?>
	@Persisted public var readers: MutableSet<UUID>
	@Persisted public var stars: Int8?
	@Persisted public var pages: Int64? = 3
	@Persisted public var weight: Float?
	@Persisted public var when: Date?
	@Persisted public var owner: ObjectId?
	@Persisted(originProperty: "links") public var backlinks: LinkingObjects<JournalPage>
	@Persisted final var views: Int = 0
	@Persisted var shares: Int = 0

	public required init() { super.init() }
}

public enum JournalMood: String, PersistableEnum { case good, bad }

open class JournalPlace: Object {
	@Persisted public var name = ""
	@Persisted public var note = ""
	@Persisted public var latitude = 0.0
	@Persisted public var longitude = 0.0
	@Persisted public var altitude = -1.0
	@Persisted public var isIndoors = 1 < 2
	@Persisted public var size: Int =
		Int(max(1, 2))
	@Persisted public var visited: Date? = nil
	@Persisted public var count = JournalPlace.start
	@Persisted public var data = Data([1, 2, 3])
	@Persisted public var token = UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B") ?? UUID()
	@Persisted public var choice = Bool.random() ? "a" : "b"
	static let start = 7
}
