// swift-format-ignore-file
import Foundation
import RealmSwift

/** The pages of a journal. */
@objcMembers open class JournalPage : Object
{
	public dynamic var id : Int = 0
	public dynamic var title : String = "" ;
	public dynamic var body : String? = nil
	public dynamic var created : Date = Date()
	public dynamic var rating : Double = 0 { willSet { print("rated \(newValue)") } }
	public dynamic var mood = JournalMood.good
	public dynamic var lastMood: JournalMood = JournalMood.bad
	public let tags = List<String>()
	public let links : List<JournalPage> = List<JournalPage>()
	public let places = Map<String, JournalPlace?>()
	public let readers = MutableSet<UUID>()
	public let stars = RealmOptional<Int8>()
	public let pages = RealmOptional<Int64>( 3 )
	public let weight = RealmProperty<Float?>()
	public let when = RealmProperty<Date?>()
	public let owner = RealmProperty<ObjectId?>()
	public let backlinks = LinkingObjects( fromType : JournalPage.self , property : "links" )
	dynamic final var views: Int = 0
	dynamic var shares: Int = 0

	public required init() { super.init() }

	open override class func primaryKey() -> String?
	{
		return "id"
	}

	open override class func indexedProperties() -> [String] { [ "title", "created" ] }
}

public enum JournalMood: String, PersistableEnum { case good, bad }

open class JournalPlace: Object {
	@objc public dynamic var name = ""
	@objc public dynamic var note = ""
	@objc public dynamic var latitude = 0.0
	@objc public dynamic var longitude = 0.0
	@objc public dynamic var altitude = -1.0
	@objc public dynamic var isIndoors = 1 < 2
	@objc public dynamic var size: Int =
		Int(max(1, 2))
	@objc public dynamic var visited: Date? = nil
	@objc public dynamic var count = JournalPlace.start
	@objc public dynamic var data = Data([1, 2, 3])
	@objc public dynamic var token = UUID(uuidString: "F1EF0000-0000-4000-8000-00000000000B") ?? UUID()
	@objc public dynamic var choice = Bool.random() ? "a" : "b"
	static let start = 7
}
