/** Milliseconds that people wait for a connection to the database, and for an answer on it. */
export const patience = { connecting: 3000, answering: 4500 }
