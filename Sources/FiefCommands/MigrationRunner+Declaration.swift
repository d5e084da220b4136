import FiefConsole

extension MigrationRunner {
  /// The commands, their options and their help.
  var declaration: CommandLineTool {
    CommandLineTool(
      name: name,
      summary: "looks after the stores of an application and brings them up to date",
      discussion: [
        "The application's data is in stores: \(domains.map(\.name).joined(separator: ", ")). Each has a schema "
          + "version, and the program declares one. A store at an older version is migrated: in one commit, so "
          + "that whatever happens it is at the old version or at the new one, whole.",
        "Backups are compacted copies that were checked and synchronised, in "
          + "\(backups.map { "\($0)/STORE" } ?? "DIR/.backups/STORE") for stores in DIR; each is a store of its "
          + "own. The newest \(backupsKept) of each store are kept.",
        "An encrypted store is opened with the key of its repository. Where that names none, the key is in a file (--key-file), in an "
          + "environment variable (--key-env), or is a passphrase that is asked for at a terminal.",
      ],
      commands: [statusCommand, planCommand, migrateCommand, rollbackCommand, verifyCommand]
        + [schemaCommand, diffCommand, compactCommand, backupCommand, restoreCommand],
      options: [
        OptionDeclaration(
          "directory",
          short: "d",
          value: "DIR",
          completion: .directories,
          "The directory that the stores are in, instead of the application's."
        ),
        OptionDeclaration(
          "only",
          value: "NAME",
          isRepeatable: true,
          completion: .words(domains.map(\.name)),
          "Only this store; may be repeated."
        ),
        OptionDeclaration(
          "backups",
          value: "DIR",
          completion: .directories,
          "The directory for backups, instead of .backups beside the stores."
        ),
        OptionDeclaration("json", "Writes one JSON document to standard output, and nothing else there."),
        OptionDeclaration("yes", short: "y", "Asks nothing: every answer is yes."),
        OptionDeclaration(
          "exit-zero",
          "Ends with 0 instead of 3 where there was nothing to do, for scripts with 'set -e'."
        ),
      ] + StoreKeyOptions.declarations,
      examples: [
        .init("\(name) status", "What is there, and what has to be done."),
        .init("\(name) plan --rehearse", "What migrating would do, tried on copies."),
        .init(
          "\(name) migrate --yes --exit-zero",
          "In a deployment script, while the application is stopped."
        ),
        .init(
          "\(name) rollback --only \(domains.first?.name ?? "STORE")",
          "Back to before the last migration."
        ),
      ],
      exitStatuses: [
        (.done, "Done: what was asked for has happened, or has been answered."),
        (.failed, "Failed: that store is as it was. Other stores may be done."),
        (
          .nothingToDo,
          "Nothing to do. It is not 0, so that scripts can tell; --exit-zero makes it 0 for those that only "
            + "want the stores to be up to date."
        ),
        (
          .refused,
          "Refused, before anything was changed: not confirmed, not enough room, in use by a process, or a "
            + "store that this program must not touch, such as a newer one."
        ),
        (.damaged, "Damaged: the files of a store are not what they should be."),
        (.usage, "The command line is wrong."),
      ]
    )
  }

  private var keepOption: OptionDeclaration {
    OptionDeclaration(
      "keep",
      value: "N",
      "How many backups of each store are kept, this one included; \(backupsKept) unless given."
    )
  }

  private var statusCommand: CommandDeclaration {
    CommandDeclaration(
      "status",
      "Shows each store: its version, its size, what has to be done",
      discussion: [
        "Changes nothing. The state of a store is 'up to date', 'needs a migration', 'not made yet' (the "
          + "application makes it at its first use), 'newer than this program', 'classes changed without a new "
          + "version', 'in memory', 'damaged' or 'cannot be opened'. 'in use' says that a process has it open.",
        "The status is 0 where every store can be used or migrated, 4 where this program must not touch one.",
      ],
      options: [OptionDeclaration("usage", "Shows what was read and written, where a store keeps it.")],
      examples: [.init("\(name) status --json", "The same for a monitoring script.")]
    )
  }

  private var planCommand: CommandDeclaration {
    CommandDeclaration(
      "plan",
      "Shows what migrating would do, without doing it",
      discussion: [
        "Lists the steps that each store lacks, the differences between the store and the program's classes in "
          + "words, how many objects they concern, and the room that is needed and there.",
        "Changes nothing. With --rehearse the migration really runs, on a compacted copy beside the store, is "
          + "timed, checked and removed: that finds data that the migration cannot take, and takes as long and "
          + "as much room as the migration.",
        "The status is 0 where there is something to migrate and 3 where there is not.",
      ],
      options: [OptionDeclaration("rehearse", "Runs the migration on a copy, and times it.")],
      examples: [
        .init("\(name) plan", "What would happen."),
        .init("\(name) plan --rehearse --only \(domains.first?.name ?? "STORE")", "How long it takes."),
      ]
    )
  }

  private var migrateCommand: CommandDeclaration {
    CommandDeclaration(
      "migrate",
      "Brings every store up to date",
      discussion: [
        "Each store that is older than the program gets a backup and is then migrated in one commit. The stores "
          + "are independent: one that fails is as it was, and the others are migrated. A store that does not "
          + "exist is left to the application.",
        "Stop the application first. A store that a process has open is refused, since what that process "
          + "writes between the backup and the migration would not be in the backup; --even-if-in-use goes on "
          + "nevertheless. Asks before it begins; without a terminal it needs --yes.",
        "A store in clear whose repository names a key is refused. In the release that begins to encrypt, --encrypt encrypts it "
          + "with that key. Give it once: it accepts whatever store in clear is there. The backup from before is in clear.",
      ],
      options: [
        OptionDeclaration("no-backup", "Makes no backup first."),
        OptionDeclaration("even-if-in-use", "Migrates stores that a process has open, too."),
        OptionDeclaration("encrypt", "Encrypts stores in clear whose repositories name a key."),
        keepOption,
      ],
      examples: [
        .init("\(name) migrate", "Asks, then migrates."),
        .init("\(name) migrate --yes --exit-zero --json", "In a script."),
      ]
    )
  }

  private var rollbackCommand: CommandDeclaration {
    CommandDeclaration(
      "rollback",
      "Goes back to a backup of an older version",
      discussion: [
        "Puts the newest backup that has an older version than the store in the store's place, in one step: "
          + "what the last migration has done is undone. A damaged store gets its newest backup. What was "
          + "written since the backup is not in the store any more; the store as it was is kept as a backup "
          + "whose name ends with -replaced, so that nothing is lost.",
        "Stores without such a backup are left alone. Stop the application first: a store that a process has "
          + "open is refused. Start the older release of the application afterwards, since the newer one would "
          + "migrate the store again.",
      ],
      options: [
        OptionDeclaration(
          "to",
          value: "BACKUP",
          "The backup: the beginning of its name, or v and a version for the newest of that version."
        ),
        keepOption,
      ],
      examples: [
        .init("\(name) rollback", "Undoes the last migration of every store."),
        .init(
          "\(name) rollback --only \(domains.first?.name ?? "STORE") --to v1",
          "To the newest of version 1."
        ),
      ]
    )
  }

  private var verifyCommand: CommandDeclaration {
    CommandDeclaration(
      "verify",
      "Looks for damage in each store",
      discussion: [
        "Reads every page of the file, every record with its checksum, every index, every link and its way "
          + "back. Changes nothing; the stores may be in use. The status is 5 where anything is wrong."
      ],
      options: [OptionDeclaration("quick", short: "q", "Only the structure of the file, no records.")]
    )
  }

  private var schemaCommand: CommandDeclaration {
    CommandDeclaration(
      "schema",
      "Shows the types and properties, as they are declared and as they are stored",
      discussion: [
        "Where both are the same they are shown once. '*' marks the primary key, '+' an index. Changes nothing."
      ],
      options: [
        OptionDeclaration("declared", "Only what the program declares."),
        OptionDeclaration("stored", "Only what the stores have."),
      ]
    )
  }

  private var diffCommand: CommandDeclaration {
    CommandDeclaration(
      "diff",
      "Shows how each store differs from what the program declares",
      discussion: ["Changes nothing. The status is 0 where there are differences and 3 where there are none."]
    )
  }

  private var compactCommand: CommandDeclaration {
    CommandDeclaration(
      "compact",
      "Makes each store's file as small as its contents",
      discussion: [
        "A copy without unused pages takes the file's place in one step. It needs as much room as the contents. "
          + "Stop the application first: a store that a process has open is refused."
      ]
    )
  }

  private var backupCommand: CommandDeclaration {
    CommandDeclaration(
      "backup",
      "Makes a backup of each store",
      discussion: [
        "The copy is compacted, checked and on the disk before it has its name. The stores may be in use: a "
          + "backup has all that was committed when it was begun. The oldest backups beyond --keep are removed."
      ],
      options: [keepOption]
    )
  }

  private var restoreCommand: CommandDeclaration {
    CommandDeclaration(
      "restore",
      "Puts a backup, or any copy of a store, in a store's place",
      discussion: [
        "FROM is the directory of a copy, or the name of a backup. The store is the one that FROM belongs to; "
          + "name it with --only where that cannot be told. FROM stays as it is. The copy is checked before it "
          + "takes the store's place in one step; the store as it was is kept as a backup.",
        "Stop the application first: a store that a process has open is refused.",
      ],
      positionals: [
        PositionalDeclaration("FROM", "the directory of a copy, or a backup's name", completion: .directories)
      ],
      options: [keepOption],
      examples: [
        .init(
          "\(name) restore /mnt/copies/\(domains.first?.name ?? "STORE") --only \(domains.first?.name ?? "STORE")",
          "From another disk."
        )
      ]
    )
  }
}
