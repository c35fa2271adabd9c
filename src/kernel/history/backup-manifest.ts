/**
 * What a backup says about itself: manifest.json, written last, so that a directory without one is a backup that did not end. Beside
 * it lies its signature: whoever can write where backups are kept could else change claims, keys and counts, which no chain covers.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export const MANIFEST_FILE = 'manifest.json'
/** A compact JWS (RFC 7515) over the sha256 of the manifest's bytes. */
export const SIGNATURE_FILE = 'manifest.jws'
/** Raised when a restore could no longer read what an older version wrote. */
const FORMAT = 1

const BackupPart = z.strictObject({
  /** Such as store.event, quoted where SQL needs it. */
  table: z.string(),
  /** Quoted likewise, in the order of the file. */
  columns: z.array(z.string()).min(1),
  /** COPY's binary format, gzipped (RFC 1952). */
  file: z.string().regex(/^[\w.-]+\.copy\.gz$/),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** Of the file, in hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type BackupPart = z.output<typeof BackupPart>

const BackupManifest = z.strictObject({
  format: z.literal(FORMAT),
  takenAt: z.iso.datetime(),
  /** Of the version that wrote it: a restore makes exactly these tables, and migrates them afterwards. */
  migrations: z.array(z.string()).min(1),
  head: z.int().nonnegative(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where the chain stood in the backup, signed by the installation; null for an empty log. */
  checkpoint: z.string().nullable(),
  parts: z.array(BackupPart),
})
export type BackupManifest = z.output<typeof BackupManifest>

export const manifestText = (manifest: Omit<BackupManifest, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`

export interface SignedManifest {
  readonly manifest: BackupManifest
  /** What was signed, byte for byte. */
  readonly text: string
  /** Not verified yet: that takes the installation's key, which is in the backup itself. */
  readonly signature: string
}

/** @throws Error for people when there is none, or none that this version can read */
export async function readManifest(directory: string): Promise<SignedManifest> {
  const [text, signature] = await Promise.all([read(directory, MANIFEST_FILE), read(directory, SIGNATURE_FILE)])
  try {
    return { manifest: BackupManifest.parse(JSON.parse(text)), text, signature: signature.trim() }
  } catch (cause) {
    throw new Error(`${MANIFEST_FILE} is damaged, or of another version of Daybook.`, { cause })
  }
}

function read(directory: string, file: string): Promise<string> {
  return readFile(join(directory, file), 'utf8').catch((cause: unknown) => {
    throw new Error(`There is no complete backup in ${directory}: it has no ${file}.`, { cause })
  })
}
