// Foxes and Geese: a legal move, chosen by chance. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.nio.file.*;
import java.util.*;

public class Agent {
    static final int[][] WAYS = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};

    // The cell x,y of a board is board[7 * y + x]: '-', a fox X or Y, a goose a to t, '#' outside.
    static char at(char[] board, int x, int y) {
        return x < 0 || y < 0 || x > 6 || y > 6 ? '#' : board[7 * y + x];
    }

    // All chains of jumps of the fox on x,y, each as far as it goes: its name and the letters of the jumps.
    static void chains(char[] board, int x, int y, String text, List<String> found) {
        boolean more = false;
        for (int way = 0; way < 4; way++) {
            int dx = WAYS[way][0], dy = WAYS[way][1];
            boolean goose = Character.isLowerCase(at(board, x + dx, y + dy));
            if (!goose || at(board, x + 2 * dx, y + 2 * dy) != '-') continue;
            char[] after = board.clone();
            after[7 * y + x] = after[7 * (y + dy) + x + dx] = '-';
            after[7 * (y + 2 * dy) + x + 2 * dx] = text.charAt(0);
            chains(after, x + 2 * dx, y + 2 * dy, text + "udlr".charAt(way), found);
            more = true;
        }
        if (!more && text.length() > 1) found.add(text);
    }

    // All legal moves of a side on a board: the piece, then the letter of its step or those of its jumps.
    static List<String> legalMoves(char[] board, String side) {
        List<String> steps = new ArrayList<>(), captures = new ArrayList<>();
        for (int cell = 0; cell < 49; cell++) {
            char piece = board[cell];
            boolean goose = Character.isLowerCase(piece);
            if (!Character.isLetter(piece) || side.equals("GEESE") != goose) continue;
            for (int way = 0; way < 4; way++) {
                boolean down = way == 1; // geese never step down
                char there = at(board, cell % 7 + WAYS[way][0], cell / 7 + WAYS[way][1]);
                if (there == '-' && !(goose && down)) steps.add("" + piece + "udlr".charAt(way));
            }
            if (!goose) chains(board, cell % 7, cell / 7, "" + piece, captures);
        }
        int most = captures.stream().mapToInt(String::length).max().orElse(0);
        captures.removeIf(chain -> chain.length() < most); // a capture is forced, and the longest of them
        return captures.isEmpty() ? steps : captures;
    }

    static char[] play(char[] board, String move) { // the board after a move
        char[] after = board.clone();
        int cell = new String(board).indexOf(move.charAt(0));
        after[cell] = '-';
        for (char letter : move.substring(1).toCharArray()) {
            int[] way = WAYS["udlr".indexOf(letter)];
            int step = way[0] + 7 * way[1];
            cell += step;
            if (after[cell] == '-') continue;
            after[cell] = '-'; // a goose: the fox jumps over it
            cell += step;
        }
        after[cell] = move.charAt(0);
        return after;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        String side = lines.get(1).trim(); // line 3 has the CPU seconds: a search has to keep to them
        StringBuilder cells = new StringBuilder();
        for (String line : lines.subList(4, 11)) {
            String row = line.replace(" ", "");
            cells.append(row.length() == 3 ? "##" + row + "##" : row);
        }
        List<String> legal = legalMoves(cells.toString().toCharArray(), side);
        Files.write(Path.of("output.txt"), (legal.get(new Random().nextInt(legal.size())) + "\n").getBytes());
    }
}
