// Trees in SQLite: a row for each leaf, or a JSON text for each page.
#pragma once
#include "tree_rows.hpp"

// A value as a reader of a tree has it.
struct JsonMember;
struct Json { bool isText = false; int64_t number = 0; std::string text; std::vector<JsonMember> members; };
struct JsonMember { std::string name; Json value; };

struct SqliteTree : TreeStore {
    SqlitePeer peer; Conn& c = peer.c;
    void openFile(const std::string& dir) { peer.setup(c, dir + "/tree.sqlite"); }
    void close() override { c.close(); }
    void run(sqlite3_stmt* s) { SqlitePeer::run(c, s); }
    static void bind(sqlite3_stmt* s, int i, const std::string& v) { sqlite3_bind_text(s, i, v.data(), (int)v.size(), SQLITE_TRANSIENT); }
    static std::string_view column(sqlite3_stmt* s, int i) { auto p = (const char*)sqlite3_column_text(s, i); return { p, (size_t)sqlite3_column_bytes(s, i) }; }
};

struct SqliteLeaves : SqliteTree {
    void open(const std::string& dir, bool create) override { openFile(dir); if (create) c.exec("CREATE TABLE leaf(path TEXT PRIMARY KEY, value) WITHOUT ROWID"); }
    static std::string path(const std::string& page, const std::string& key, const char* name) { return "messages/" + page + "/" + key + "/" + name; }
    void insert(sqlite3_stmt* s, const std::string& path, int64_t v) { bind(s, 1, path); sqlite3_bind_int64(s, 2, v); run(s); }
    void insert(sqlite3_stmt* s, const std::string& path, const std::string& v) { bind(s, 1, path); bind(s, 2, v); run(s); }
    void loadPages(int64_t from, int64_t to) override {
        auto s = c.prep("INSERT INTO leaf VALUES(?,?)"); c.exec("BEGIN IMMEDIATE"); Message m;
        for (int64_t i = from * 250; i < to * 250; i++) {
            gen_message(i, m); auto p = TreeWorkload::page(i / 250);
            insert(s, path(p, m.key, "at"), m.at); insert(s, path(p, m.key, "from"), m.from); insert(s, path(p, m.key, "likes"), m.likes); insert(s, path(p, m.key, "text"), m.text);
        }
        c.exec("COMMIT");
    }
    bool importAll(const std::vector<Message>& all) override {
        auto s = c.prep("INSERT INTO leaf VALUES(?,?)"); c.exec("BEGIN IMMEDIATE");
        for (size_t i = 0; i < all.size(); i++) {
            auto& m = all[i]; auto p = TreeWorkload::page((int64_t)i / 250);
            insert(s, path(p, m.key, "at"), m.at); insert(s, path(p, m.key, "from"), m.from); insert(s, path(p, m.key, "likes"), m.likes); insert(s, path(p, m.key, "text"), m.text);
        }
        c.exec("COMMIT"); return true;
    }
    void exportAll(MessagesText& out) override {
        auto s = c.prep("SELECT path,value FROM leaf ORDER BY path"); int rc;
        while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
            auto p = column(s, 0).substr(9); auto one = p.find('/'), two = p.find('/', one + 1); auto page = p.substr(0, one), key = p.substr(one + 1, two - one - 1), name = p.substr(two + 1);
            if (sqlite3_column_type(s, 1) == SQLITE_TEXT) out.leaf(page, key, name, column(s, 1)); else out.leaf(page, key, name, (int64_t)sqlite3_column_int64(s, 1));
        }
        REQUIRE(rc == SQLITE_DONE); sqlite3_reset(s); out.end();
    }
    void loadWide(int64_t from, int64_t to) override {
        auto s = c.prep("INSERT INTO leaf VALUES(?,?)"); c.exec("BEGIN IMMEDIATE"); for (int64_t i = from; i < to; i++) insert(s, "wide/" + gen_wide(i), i * 3); c.exec("COMMIT");
    }
    void setLikes(const Pick* picks, size_t count, int64_t first) override {
        auto s = c.prep("INSERT INTO leaf VALUES(?,?) ON CONFLICT(path) DO UPDATE SET value=excluded.value"); c.exec("BEGIN IMMEDIATE");
        for (size_t n = 0; n < count; n++) insert(s, path(picks[n].page, picks[n].key, "likes"), TreeWorkload::newLikes(first + (int64_t)n));
        c.exec("COMMIT");
    }
    uint64_t readWide(const std::vector<std::string>& keys) override {
        auto s = c.prep("SELECT value FROM leaf WHERE path=?"); uint64_t sum = 0; c.exec("BEGIN");
        for (auto& k : keys) { bind(s, 1, "wide/" + k); REQUIRE(sqlite3_step(s) == SQLITE_ROW); sum += (uint64_t)sqlite3_column_int64(s, 0); sqlite3_reset(s); }
        c.exec("COMMIT"); return sum;
    }
    uint64_t readPage(const std::string& page) override {
        auto s = c.prep("SELECT path,value FROM leaf WHERE path>? AND path<? ORDER BY path"); std::string start = "messages/" + page + "/", end = start; end.back() = '0'; bind(s, 1, start); bind(s, 2, end);
        Json json; int rc;
        while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
            auto rest = column(s, 0).substr(start.size()); auto slash = rest.find('/'); auto key = rest.substr(0, slash);
            if (json.members.empty() || json.members.back().name != key) json.members.push_back({ std::string(key), {} });
            Json v; if (sqlite3_column_type(s, 1) == SQLITE_TEXT) { v.isText = true; v.text = column(s, 1); } else v.number = sqlite3_column_int64(s, 1);
            json.members.back().value.members.push_back({ std::string(rest.substr(slash + 1)), std::move(v) });
        }
        REQUIRE(rc == SQLITE_DONE); sqlite3_reset(s); uint64_t sum = 0;
        for (auto& m : json.members) for (auto& l : m.value.members) sum += l.value.isText ? leaf_digest(m.name, l.name, std::string_view(l.value.text)) : leaf_digest(m.name, l.name, l.value.number);
        return sum;
    }
    uint64_t pageNames() override {
        auto s = c.prep("SELECT path FROM leaf WHERE path>=? ORDER BY path LIMIT 1"); std::string next = "messages/"; std::vector<std::string> names; uint64_t acc = 0; c.exec("BEGIN");
        while (true) {
            bind(s, 1, next); if (sqlite3_step(s) != SQLITE_ROW) { sqlite3_reset(s); break; }
            auto p = column(s, 0).substr(9); names.emplace_back(p.substr(0, p.find('/'))); sqlite3_reset(s); next = "messages/" + names.back() + "0";
        }
        c.exec("COMMIT"); for (auto& n : names) acc = ordered(acc, (uint8_t)n[n.size() - 1] * 31ULL + (uint8_t)n[2] + n.size());
        return acc;
    }
    uint64_t full() override {
        auto s = c.prep("SELECT path,value FROM leaf"); uint64_t sum = 0; int rc;
        while ((rc = sqlite3_step(s)) == SQLITE_ROW) {
            auto p = column(s, 0).substr(9); auto one = p.find('/'), two = p.find('/', one + 1); auto page = p.substr(0, one), key = p.substr(one + 1, two - one - 1), name = p.substr(two + 1);
            sum += sqlite3_column_type(s, 1) == SQLITE_TEXT ? leaf_hash(page, key, name, column(s, 1)) : leaf_hash(page, key, name, (int64_t)sqlite3_column_int64(s, 1));
        }
        REQUIRE(rc == SQLITE_DONE); sqlite3_reset(s); return sum;
    }
};

struct SqliteJson : SqliteTree {
    void open(const std::string& dir, bool create) override { openFile(dir); if (create) c.exec("CREATE TABLE page(name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID"); }
    void loadPages(int64_t from, int64_t to) override {
        auto s = c.prep("INSERT INTO page VALUES(?,?)"); c.exec("BEGIN IMMEDIATE"); Message m;
        for (int64_t p = from; p < to; p++) {
            std::string body = "{";
            for (int64_t i = p * 250; i < p * 250 + 250; i++) {
                gen_message(i, m); if (body.size() > 1) body += ",";
                body += "\"" + m.key + "\":{\"at\":" + std::to_string(m.at) + ",\"from\":\"" + m.from + "\",\"likes\":" + std::to_string(m.likes) + ",\"text\":\"" + m.text + "\"}";
            }
            body += "}"; bind(s, 1, TreeWorkload::page(p)); bind(s, 2, body); run(s);
        }
        c.exec("COMMIT");
    }
    void loadWide(int64_t, int64_t) override {}
    void setLikes(const Pick* picks, size_t count, int64_t first) override {
        auto s = c.prep("UPDATE page SET body=json_set(body,'$.\"'||?||'\".likes',?) WHERE name=?"); c.exec("BEGIN IMMEDIATE");
        for (size_t n = 0; n < count; n++) { bind(s, 1, picks[n].key); sqlite3_bind_int64(s, 2, TreeWorkload::newLikes(first + (int64_t)n)); bind(s, 3, picks[n].page); run(s); }
        c.exec("COMMIT");
    }
    uint64_t full() override {
        auto s = c.prep("SELECT p.name,m.key,l.key,l.value FROM page p,json_each(p.body) m,json_each(m.value) l"); uint64_t sum = 0; int rc;
        while ((rc = sqlite3_step(s)) == SQLITE_ROW)
            sum += sqlite3_column_type(s, 3) == SQLITE_TEXT ? leaf_hash(column(s, 0), column(s, 1), column(s, 2), column(s, 3)) : leaf_hash(column(s, 0), column(s, 1), column(s, 2), (int64_t)sqlite3_column_int64(s, 3));
        REQUIRE(rc == SQLITE_DONE); sqlite3_reset(s); return sum;
    }
};
std::unique_ptr<TreeStore> make_tree(const std::string& kind) { if (kind == "ranked") return nullptr; if (kind == "json") return std::make_unique<SqliteJson>(); return std::make_unique<SqliteLeaves>(); }
