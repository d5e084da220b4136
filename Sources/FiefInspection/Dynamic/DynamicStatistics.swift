import FiefCore

/// The sizes of a store and its trees when they were read.
public struct DynamicStatistics: Sendable, Hashable {
  /// One tree of the store: the records of a type, an index, the backlinks of a link, or the catalogue.
  public struct Tree: Sendable, Hashable {
    /// The purpose of a tree.
    public enum Purpose: String, Sendable, CaseIterable {
      /// The objects of a type.
      case records
      /// The index of a property.
      case index
      /// The backlinks of a property with links.
      case backlinks
      /// The elements of large lists, sets and maps.
      case collections
      /// The store's schema and the counters from which it assigns numbers.
      case catalogue
    }

    /// The purpose of the tree.
    public let purpose: Purpose
    /// The type to which the tree belongs, or `nil` for the catalogue.
    public let typeName: String?
    /// The property to which the tree belongs, or `nil` for records and the catalogue.
    public let property: String?
    /// The number of entries.
    public let entries: Int
    /// The depth of the tree in levels.
    public let depth: Int
    /// The number of branch pages.
    public let branchPages: Int
    /// The number of leaf pages, which contain the entries.
    public let leafPages: Int
    /// The number of pages for values that are too long for a leaf page.
    public let overflowPages: Int
    /// The size of all pages of the tree in bytes.
    public let bytes: Int
    /// The used fraction of the leaf pages, from 0 to 1, or `nil` if it was not measured or there are no leaf
    /// pages.
    public let fill: Double?
  }

  /// The size of the data file in bytes.
  public let fileSize: Int
  /// The size of the map in bytes, which is the size that the file can reach before the map must grow.
  public let mapSize: Int
  /// The size of a page in bytes.
  public let pageSize: Int
  /// The number of pages that have ever been used.
  public let pages: Int
  /// The number of free pages, which later commits reuse.
  public let freePages: Int
  /// The number of the newest commit.
  public let lastTransaction: UInt64
  /// The number of slots for readers of all processes, or 0 if the store is read without a lock table.
  public let readerSlots: Int
  /// The highest number of reader slots that were in use at the same time.
  public let usedReaderSlots: Int
  /// The number of commits by which the oldest reader of any process is behind, or 0 without readers.
  public let oldestReaderLag: Int
  /// The readers of all processes, starting with the reader of the oldest state. The transaction that
  /// collects these statistics is not included.
  public let readers: [StoreReader]
  /// The trees, sorted by type, purpose and property. The catalogue's tree is the last one.
  public let trees: [Tree]
}
