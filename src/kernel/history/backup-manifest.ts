/**
 * The manifest of a backup, manifest.json. It is written last, so a directory without it is an incomplete backup.
 * Its signature is stored beside it. It protects unique constraints, keys and counts, which no chain covers, from a
 * writer with access to the backups.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export const MANIFEST_FILE = 'manifest.json'
/** A compact JWS (RFC 7515) over the sha256 of the manifest's bytes. */
export const SIGNATURE_FILE = 'manifest.jws'
/** To be raised when a restore can no longer read backups of an older version. */
const FORMAT = 1

const BackupPart = z.strictObject({
  /** Schema and table, such as store.event, quoted if SQL needs it. */
  table: z.string(),
  /** Quoted if SQL needs it, in the order of the file. */
  columns: z.array(z.string()).min(1),
  /** COPY's binary format, gzipped (RFC 1952). */
  file: z.string().regex(/^[\w.-]+\.copy\.gz$/),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** The hash of the file, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type BackupPart = z.output<typeof BackupPart>

const BackupManifest = z.strictObject({
  format: z.literal(FORMAT),
  takenAt: z.iso.datetime(),
  /**
   * The migrations of the version that wrote the backup.
   * A restore applies exactly these, fills the tables, then migrates.
   */
  migrations: z.array(z.string()).min(1),
  head: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The signed checkpoint of the chain's head in the backup; null for an empty log. */
  checkpoint: z.string().nullable(),
  parts: z.array(BackupPart),
})
export type BackupManifest = z.output<typeof BackupManifest>

export const manifestText = (manifest: Omit<BackupManifest, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`

export interface SignedManifest {
  readonly manifest: BackupManifest
  /** The signed bytes. */
  readonly text: string
  /** Not verified yet, because the key of the installation is in the backup itself. */
  readonly signature: string
}

/** @throws Error with a message for the operator when there is no manifest, or none that this version can read */
export async function readManifest(directory: string): Promise<SignedManifest> {
  const [text, signature] = await Promise.all([read(directory, MANIFEST_FILE), read(directory, SIGNATURE_FILE)])
  try {
    return { manifest: BackupManifest.parse(JSON.parse(text)), text, signature: signature.trim() }
  } catch (cause) {
    throw new Error(`${MANIFEST_FILE} is damaged, or was written by another version of Daybook.`, { cause })
  }
}

function read(directory: string, file: string): Promise<string> {
  return readFile(join(directory, file), 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no complete backup in ${directory}: it has no ${file}.`, { cause })
  })
}
