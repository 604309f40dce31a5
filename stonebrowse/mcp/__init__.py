"""The MCP server: what a model reaches of a library.

Here live the tools, resources and prompts, their schemas, and the two ways of serving them (standard input and
output, HTTP on loopback). Here may not live: SQL, Whoosh, reading of the folder; what a tool does is a call of
`Library`. The MCP SDK is imported nowhere else.

Every string that stonebrowse did not make leaves only inside a fence with a random nonce, in the text content;
the structured content has IDs, numbers, digests, tokens and citation strings (CONTRACT section 8).

Units: offsets are bytes of a version's text; limits are counts, or bytes where the name says so.
"""
