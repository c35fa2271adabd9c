/** An image whose program answers datagrams, made of the perl of this machine: its busybox knows no UDP. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestEngine } from '../docker-engine.ts'

const PERL = '/usr/bin/perl'
/** Of the family 2 (IPv4), of datagrams. Source: perldoc, socket and pack. */
const ANSWER = `my ($port, $text) = @ARGV;
socket(my $socket, 2, 2, 17) or die; bind($socket, pack('S n N x8', 2, $port, 0)) or die;
$SIG{TERM} = sub { exit }; while (my $from = recv($socket, my $asked, 1500, 0)) { send($socket, $text, 0, $from) }`

/** To each datagram. */
export const answerUdp = (port: number, text: string): string[] => [PERL, '-e', ANSWER, String(port), text]

/** @returns the id of the image */
export async function makeUdpImage({ api }: Pick<TestEngine, 'api'>, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'udp-image-'))
  try {
    const libraries = execFileSync('ldd', [PERL], { encoding: 'utf8' }).match(/\/\S+/g)!
    for (const file of [PERL, ...libraries]) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      copyFileSync(file, join(folder, file))
    }
    const tar = execFileSync('tar', ['-c', '-C', folder, '.'], { maxBuffer: 64 * 2 ** 20 })
    await api('POST', `/images/create?fromSrc=-&repo=${name}`, tar)
    return (await api('GET', `/images/${name}/json`)).Id
  } finally {
    rmSync(folder, { recursive: true })
  }
}
