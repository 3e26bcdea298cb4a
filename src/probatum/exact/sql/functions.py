"""The functions that a sound query may call, by dialect, and those that it never may: data alone.

A function is allowed where it only computes from its arguments, in time and space that they bound. `CASE`, `CAST` and
the like are no functions here.
"""

from __future__ import annotations

from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_EVERYWHERE: Final = """
    count sum avg min max abs upper lower round coalesce nullif trim replace row_number rank dense_rank percent_rank
    cume_dist ntile lag lead first_value last_value nth_value
"""
_OF_DIALECT: Final = {
    "sqlite": """
    length substr substring instr ifnull iif ltrim rtrim typeof unicode date time datetime julianday strftime
    unixepoch total group_concat random sign ceil ceiling floor sqrt pow power exp ln log log10 log2 mod trunc
    json_extract json_array_length json_type json_valid likely unlikely hex quote soundex current_date current_time
    current_timestamp pi sin cos tan
""",
    "postgres": """
    length char_length character_length substring substr position strpos concat concat_ws left right
    initcap reverse split_part ltrim rtrim btrim ascii chr md5 ceil ceiling floor sqrt pow power exp ln log mod sign
    greatest least date_trunc date_part extract now to_char to_date to_timestamp string_agg
    bool_and bool_or stddev stddev_pop stddev_samp variance var_pop var_samp trunc current_date
    current_timestamp lpad rpad repeat date
""",
    "mysql": """
    length char_length character_length substring substr mid left right concat concat_ws ifnull if locate instr
    position lcase ucase ltrim rtrim reverse ascii md5 ceil ceiling floor sqrt pow power exp ln log mod sign greatest
    least truncate now curdate current_date current_timestamp date year quarter month day dayofmonth dayofweek hour
    minute second extract date_format datediff date_add date_sub last_day group_concat stddev variance rand lpad rpad
    repeat space
""",
}
_SQLITE_OTHERS: Final = """
    acos acosh asin asinh atan atan2 atanh cosh sinh tanh degrees radians format printf glob like match json
    json_array json_array_insert json_each json_tree json_error_position json_group_array json_group_object
    json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set jsonb jsonb_array
    jsonb_each jsonb_tree jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert
    jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set char changes total_changes last_insert_rowid
    likelihood nullif sqlite_version sqlite_source_id sqlite_offset sqlite_compileoption_get
    sqlite_compileoption_used subtype timediff concat concat_ws unhex string_agg median percentile percentile_cont
    percentile_disc if unistr unistr_quote bm25 highlight snippet matchinfo offsets optimize generate_series
    pragma_table_info regexp geopoly_area edit sha1 sha3 stddev variance uuid
"""
"""Further functions that SQLite has, or that its shell and its usual extensions bring: neither allowed nor unknown."""
DANGEROUS: Final = words("""
    pg_sleep pg_sleep_for pg_sleep_until sleep benchmark load_extension readfile writefile fsdir lsdir edit lo_import
    lo_export lo_get lo_put lo_from_bytea lo_create lo_unlink pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file
    pg_logdir_ls pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal
    pg_advisory_lock pg_advisory_xact_lock pg_try_advisory_lock pg_notify set_config setval nextval query_to_xml
    query_to_xml_and_xmlschema query_to_xmlschema table_to_xml schema_to_xml database_to_xml cursor_to_xml xpath_table
    dblink dblink_connect dblink_exec dblink_open dblink_send_query zeroblob randomblob load_file sys_exec sys_eval
    sys_get get_lock release_lock is_free_lock master_pos_wait source_pos_wait wait_for_executed_gtid_set updatexml
    extractvalue sqlite_log fts3_tokenizer generate_series generate_subscripts
""")
"""What sleeps, reads or writes outside the tables, runs other SQL, takes locks, or makes as much as it is told to."""
SQLITE_FUNCTIONS: Final = words(f"{_EVERYWHERE} {_OF_DIALECT['sqlite']} {_SQLITE_OTHERS}") | DANGEROUS
GROWING: Final = frozenset({"lpad", "rpad", "repeat", "space"})
"""Functions whose result is as long as their numbers say; they are allowed with small ones that are written out."""
_ARGUMENTS: Final = """
    0 0 row_number rank dense_rank percent_rank cume_dist curdate
    0 1 now current_timestamp rand
    1 1 sum avg min max abs upper lower sqrt exp ln sign length char_length character_length initcap reverse ascii chr
    1 1 md5 ceil ceiling floor bool_and bool_or stddev stddev_pop stddev_samp variance var_pop var_samp ntile
    1 1 first_value last_value year quarter month day dayofmonth dayofweek hour minute second last_day space
    1 1 lcase ucase date
    1 2 round trunc log ltrim rtrim btrim trim to_timestamp
    1 3 lag lead substring position
    1 99 count coalesce concat greatest least group_concat
    2 2 nullif nth_value strpos left right mod pow power date_part ifnull truncate datediff date_format
    2 2 date_add date_sub instr repeat string_agg to_char to_date
    2 3 substr lpad rpad date_trunc mid locate
    2 99 concat_ws
    3 3 replace split_part if
"""
ARGUMENTS: Final = {
    name: (int(least), int(most))
    for least, most, *names in map(str.split, _ARGUMENTS.strip().splitlines())
    for name in names
}
"""How many arguments functions of the other dialects take, which SQLite cannot be asked about."""
AGGREGATES: Final = words("""
    count sum avg min max groupconcat total arrayagg logicaland logicalor stddev stddevpop stddevsamp variance
    variancepop
""")
"""By the key of a node, or the name of what the parser does not know."""
UNREPEATABLE: Final = words("""
    rand random now currentdate currenttime currenttimestamp currentdatetime current_timestamp date time datetime
    julianday unixepoch strftime timetostr age arrayagg groupconcat firstvalue lastvalue nthvalue lag lead ntile
    rownumber tsordstodate tsordstotimestamp
""")
"""What may give something else at another time, or in another order of the rows."""


def allowed_functions(dialect: str) -> frozenset[str]:
    """Return the names of the functions that a query of a dialect may call."""
    return words(f"{_EVERYWHERE} {_OF_DIALECT[dialect]}")
